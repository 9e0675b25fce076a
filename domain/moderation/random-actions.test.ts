import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { moderatePost } from "#domain/moderation/posts/moderate-many.server.ts";
import { addPost } from "../../tests/support/posts.ts";
import { propertyRuns } from "../../tests/support/property-runs.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { readCounters } from "../counters/counters.server.ts";
import { listLatest, readPost } from "../posts/post-reads.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { isRefusal } from "../refusals.ts";
import { undoModerationAction } from "./undo.server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** The model: a story's status and the states under its current one, latest last. */
type Model = { status: "active" | "inactive"; holds: { id: string; under: "active" | "inactive" }[] };

const byAdministrator = ["publish", "unpublish", "hold", "delete"] as const;
const steps = fc.array(fc.constantFrom(...byAdministrator, "author publishes", "author takes back", "undo the last hold"), {
  minLength: 4,
  maxLength: 12,
  size: "max",
});

test("any order of actions: held stories are hidden and restored correctly", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (done) => {
      const id = `story-${++count}`;
      await addPost(world, world.maren, { id });
      const model: Model = { status: "active", holds: [] };
      for (const step of done) await take(id, step, model);
      await compare(id, model);
    }),
    { numRuns: propertyRuns(50) },
  );
  const all = await world.site.db.selectFrom("posts").select("status").execute();
  const published = all.filter(({ status }) => status === "active").length;
  expect(await readCounters(world.site)).toMatchObject({ published, drafts: all.length - published });
});

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

async function take(id: string, step: Step, model: Model): Promise<void> {
  const { site, maren, ruth } = world;
  const kind = await heldKind(id);
  if (step === "author publishes") await setPostStatus(site, maren, id, "active").catch(ignoreRefusal);
  else if (step === "author takes back") await setPostStatus(site, maren, id, "inactive");
  else if (step === "undo the last hold") {
    const last = model.holds.at(-1);
    if (last) await undoModerationAction(site, ruth, last.id);
  } else await moderatePost(site, ruth, id, step, { reason: "why" });
  follow(model, step, kind, await heldBy(id));
}

function follow(model: Model, step: Step, kind: string | null, heldBy: string | null): void {
  if (step === "publish") Object.assign(model, { status: "active", holds: [] });
  else if (step === "author publishes" && model.holds.length === 0) model.status = "active";
  else if (step === "unpublish" || step === "author takes back") model.status = "inactive";
  else if (step === "undo the last hold") model.status = model.holds.pop()?.under ?? model.status;
  else if ((step === "hold" && kind === null) || (step === "delete" && kind !== "delete")) {
    model.holds.push({ id: heldBy ?? "", under: model.status });
    model.status = "inactive";
  }
}

async function compare(id: string, model: Model): Promise<void> {
  const { site, maren, ruth } = world;
  const visible = model.status === "active";
  const { notice, status } = await readPost(site, maren, id);
  expect(status).toBe(model.status);
  expect(await heldBy(id)).toBe(model.holds.at(-1)?.id ?? null);
  if (model.holds.length > 0) expect(notice?.id).toBe(model.holds.at(-1)?.id);
  const seen = await readPost(site, null, id).then(() => true, ignoreRefusal);
  expect(seen ?? false).toBe(visible);
  expect((await listLatest(site, { limit: 100 })).posts.some((post) => post.id === id)).toBe(visible);
  expect((await readPost(site, ruth, id)).id).toBe(id);
}

async function heldBy(id: string): Promise<string | null> {
  return (await world.site.db.selectFrom("posts").select("heldBy").where("id", "=", id).executeTakeFirst())?.heldBy ?? null;
}

async function heldKind(id: string): Promise<string | null> {
  const moderationAction = world.site.db
    .selectFrom("posts")
    .innerJoin("moderation_actions", "moderation_actions.id", "posts.heldBy")
    .select("moderation_actions.kind");
  return (await moderationAction.where("posts.id", "=", id).executeTakeFirst())?.kind ?? null;
}

function ignoreRefusal(error: unknown): undefined {
  if (!isRefusal(error)) throw error;
}
