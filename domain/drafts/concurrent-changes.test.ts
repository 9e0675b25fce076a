import { afterEach, beforeEach, expect, test } from "vitest";
import { holdLocks, untilWaiting } from "../../tests/postgres/locks.ts";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { createPost } from "../posts/posts.server.ts";
import { emptyDraft } from "./draft.ts";
import { listUnfinished } from "./draft-reads.server.ts";
import { saveWorkingCopy } from "./working-copies.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const id = "aaaaaaaaaaaaaaaaaaaaaaaa";
const writer = "page-one";
const save = (content: string, base: number | null, count: number) => {
  const draft = { ...emptyDraft, title: "Tides", slug: "tides", content };
  return saveWorkingCopy(world.site, world.maren, {
    id,
    base,
    writer,
    count,
    userId: world.maren.id,
    postId: null,
    postVersion: null,
    draft,
  });
};

test("publishing while the page's last save still arrives is no conflict", async () => {
  const { revision } = await save("One.", null, 1);
  const release = await holdLocks(world.site, (db) =>
    db
      .updateTable("working_copies")
      .set({ revision: revision + 1, writerCount: 2, markdown: "One. Two." })
      .where("id", "=", id)
      .execute(),
  );
  const input = { title: "Tides", slug: "tides", content: "One. Two.", status: "active" as const };
  const publishing = createPost(world.site, world.maren, input, await picture(), { draftBase: { id, base: revision, writer, count: 2 } });
  await untilWaiting(world.site, 1);
  await release();
  expect(await publishing).toEqual({ id: "tides", held: false });
  expect(await listUnfinished(world.site, world.maren)).toEqual([]);
});

test("nor is a save that arrives while its text is published, and it leaves no draft", async () => {
  const { revision } = await save("One.", null, 1);
  const release = await holdLocks(world.site, async (db) => {
    await db.deleteFrom("working_copies").where("id", "=", id).execute();
    const finished = { userId: world.maren.id, copyId: id, writer, writerCount: 2, finishedAt: world.site.now() };
    await db.insertInto("finished_drafts").values(finished).execute();
  });
  const saving = save("One. Two.", revision, 2).catch((error) => error);
  await untilWaiting(world.site, 1);
  await release();
  expect(await saving).toMatchObject({ code: "conflict", details: { kind: "finished" } });
  expect(await listUnfinished(world.site, world.maren)).toEqual([]);
});
