import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { picture } from "../../tests/support/pictures.ts";
import { addPost } from "../../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { undoModerationAction } from "../moderation/undo.server.ts";
import { saveRule, setRuleEnabled } from "../rules/rules.server.ts";
import type { Member } from "../site.ts";
import { createPost, deletePost } from "./posts.server.ts";
import { readForEditing, setPostStatus, updatePost } from "./update-post.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

function recordEvents(topic: string): [string, object][] {
  const received: [string, object][] = [];
  world.site.events.subscribe(topic, ({ type, data }) => received.push([type, data]));
  return received;
}

async function save(id: string, status: "active" | "inactive"): Promise<void> {
  const { version } = await readForEditing(world.site, world.maren, id);
  await updatePost(world.site, world.maren, id, { title: "Moor", content: "Fog", status }, { version });
}

async function newestAct(): Promise<string> {
  return (await world.site.db.selectFrom("moderation_actions").select("id").orderBy("number", "desc").limit(1).executeTakeFirstOrThrow())
    .id;
}

describe("followers get an event for a published story", () => {
  const published = () => ["post.published", { id: "moor", userId: world.maren.id, userName: "Maren Oduya" }];

  test("from a draft, by the button or the form", async () => {
    const { site, maren } = world;
    await addPost(world, maren, { id: "moor", status: "inactive" });
    const received = recordEvents("posts");
    await setPostStatus(site, maren, "moor", "active");
    await expect.poll(() => received).toEqual([published()]);
    await save("moor", "inactive");
    await save("moor", "active");
    await expect.poll(() => received).toEqual([published(), published()]);
  });

  test("again by an administrator", async () => {
    const { site, maren, ruth } = world;
    await addPost(world, maren, { id: "moor", status: "inactive" });
    const received = recordEvents("posts");
    await setPostStatus(site, ruth, "moor", "active");
    await expect.poll(() => received).toEqual([published()]);
  });

  test("when it is released from a hold", async () => {
    const { site, maren, ruth } = world;
    await addPost(world, maren, { id: "moor" });
    const received = recordEvents("posts");
    await holdPost(site, ruth, "moor", {});
    await undoModerationAction(site, ruth, await newestAct());
    await expect.poll(() => received).toEqual([published()]);
  });
});

describe("open readers get an event for a hidden or deleted story", () => {
  const ways: [string, string, () => Promise<unknown>][] = [
    ["unpublished by its author", "post.hidden", () => setPostStatus(world.site, world.maren, "moor", "inactive")],
    ["unpublished by an administrator", "post.hidden", () => setPostStatus(world.site, world.ruth, "moor", "inactive")],
    ["saved as a draft", "post.hidden", () => save("moor", "inactive")],
    ["held", "post.hidden", () => holdPost(world.site, world.ruth, "moor", {})],
    ["deleted by an administrator", "post.hidden", () => deletePost(world.site, world.ruth, "moor")],
    ["deleted by its author", "post.removed", () => deletePost(world.site, world.maren, "moor")],
  ];
  test.each(ways)("%s", async (_way, kind, work) => {
    await addPost(world, world.maren, { id: "moor" });
    const received = recordEvents("post:moor");
    await work();
    await expect.poll(() => received).toEqual([[kind, { id: "moor" }]]);
  });
});

test("clients of the API get the creation of a story before its hold by a rule", async () => {
  const { site, ruth } = world;
  const conditions = [{ kind: "links" as const, more: 0 }];
  await setRuleEnabled(site, ruth, await saveRule(site, ruth, undefined, { conditions, outcome: "hold", message: "" }), true);
  const newcomer = await addMember(world, "Newcomer");
  const [documents, posts] = [recordEvents("documents"), recordEvents("posts")];
  const input = { title: "Lamps", slug: "lamps", content: "[a](https://lamps.example)", status: "active" as const };
  expect(await createPost(site, newcomer, input, await picture())).toEqual({ id: "lamps", held: true });
  await expect.poll(() => documents.map(([type]) => type)).toEqual(["posts.create", "reports.create", "posts.update"]);
  expect(posts).toEqual([]);
});

test("a writer can publish and unpublish sixty times an hour, by button or form; staff more often", async () => {
  const { site, maren, ruth } = world;
  await addPost(world, maren, { id: "moor", status: "inactive" });
  const toggle = (who: Member, time: number) => setPostStatus(site, who, "moor", time % 2 === 1 ? "active" : "inactive");
  for (let time = 1; time <= 60; time++) await toggle(maren, time);
  await expect(toggle(maren, 61)).rejects.toMatchObject({ code: "too-many" });
  await expect(save("moor", "active")).rejects.toMatchObject({ code: "too-many" });
  await save("moor", "inactive");
  expect(await toggle(ruth, 61)).toEqual({ held: false });
});
