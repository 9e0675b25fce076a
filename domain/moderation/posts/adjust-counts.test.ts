import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listAudit } from "#domain/audit/audit.server.ts";
import { readCounters } from "#domain/counters/counters.server.ts";
import { undoWindowMs } from "#domain/moderation/moderation-action.ts";
import { listModerationActions } from "#domain/moderation/notices.server.ts";
import { sweepDeleted } from "#domain/moderation/sweep-deleted.server.ts";
import { undoModerationAction } from "#domain/moderation/undo.server.ts";
import { countView } from "#domain/posts/views.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import type { Member } from "#domain/site.ts";
import { addPost } from "../../../tests/support/posts.ts";
import { propertyRuns } from "../../../tests/support/property-runs.ts";
import { addMember, openWorld, type World } from "../../../tests/support/world.ts";
import { adjustLikes, setViews } from "./adjust-counts.server.ts";
import { adjustProblem, moderationTexts } from "./moderation.ts";

let world: World;
const id = "night-bus";
beforeEach(async () => {
  world = await openWorld();
  await addPost(world, world.maren, { id, title: "Night Bus" });
});
afterEach(() => world.close());

const log = async () =>
  (await listAudit(world.site, world.ruth, { limit: 50, subject: `post:${id}` })).entries.map(({ action, before, after }) => ({
    action,
    before,
    after,
  }));

async function counts() {
  const columns = ["likesCount", "adjustedLikes", "views"] as const;
  const post = await world.site.db.selectFrom("posts").select(columns).where("id", "=", id).executeTakeFirstOrThrow();
  const rows = async (table: "likes" | "adjusted_likes") => (await world.site.db.selectFrom(table).select("userId").execute()).length;
  return { ...post, real: await rows("likes"), adjusted: await rows("adjusted_likes") };
}

/** Undoes the nth action of the story's history, latest first. */
async function undo(nth = 0): Promise<void> {
  const moderationActions = await listModerationActions(world.site, world.ruth, `post:${id}`);
  await undoModerationAction(world.site, world.ruth, moderationActions[nth]?.id ?? "");
}

const likers = async () =>
  (await world.site.db.selectFrom("likes").select(["userId", "id", "createdAt"]).orderBy("createdAt").execute()).map((row) => ({ ...row }));

describe("adjusting likes", () => {
  test("adds likes under ids of the specified form", async () => {
    await setLike(world.site, world.tobias, id, true);
    expect(await adjustLikes(world.site, world.ruth, id, 300)).toEqual({ previousCount: 1, newCount: 301 });
    expect(await counts()).toMatchObject({ likesCount: 301, adjustedLikes: 300, real: 1, adjusted: 300 });
    const rows = await world.site.db.selectFrom("adjusted_likes").select("userId").execute();
    for (const row of rows) expect(row.userId).toMatch(/^admin_fake_user_\d+_\d+$/);
    expect(await log()).toEqual([
      {
        action: "post.likes-adjusted",
        before: { title: "Night Bus", likes: 1, adjusted: 0 },
        after: { likes: 301, adjusted: 300 },
      },
    ]);
  });

  test("a negative number removes added likes first, then the newest of readers", async () => {
    await setLike(world.site, world.tobias, id, true);
    world.clock.advance(1_000);
    await setLike(world.site, await addMember(world, "Kenji Watanabe"), id, true);
    await adjustLikes(world.site, world.ruth, id, 3);
    expect(await adjustLikes(world.site, world.ruth, id, -4)).toEqual({ previousCount: 5, newCount: 1 });
    expect(await counts()).toMatchObject({ likesCount: 1, adjustedLikes: 0, real: 1, adjusted: 0 });
    const left = await world.site.db.selectFrom("likes").select("userId").execute();
    expect(left).toEqual([{ userId: world.tobias.id }]);
  });

  test("never removes more than there are", async () => {
    await adjustLikes(world.site, world.ruth, id, 2);
    expect(await adjustLikes(world.site, world.ruth, id, -20_000)).toEqual({ previousCount: 2, newCount: 0 });
    expect(adjustProblem("-20000")).toBeUndefined();
  });

  test("removing from a story without likes changes and records nothing", async () => {
    expect(await adjustLikes(world.site, world.ruth, id, -5)).toEqual({ previousCount: 0, newCount: 0 });
    expect(await log()).toEqual([]);
  });

  test("removes no more than 10,000 at a time", async () => {
    await world.site.db.updateTable("posts").set({ likesCount: 20_000 }).where("id", "=", id).execute();
    await expect(adjustLikes(world.site, world.ruth, id, -10_001)).rejects.toMatchObject({ message: moderationTexts.tooMuch });
    expect(adjustProblem("10001")).toBe(moderationTexts.tooMuch);
  });

  test.each([
    [0, "Adjustment cannot be zero"],
    [1.5, "Please enter a valid number"],
    [Number.NaN, "Please enter a valid number"],
    [10_001, "You can adjust likes by up to 10,000 at a time"],
  ])("by %s is refused", async (by, message) => {
    await expect(adjustLikes(world.site, world.ruth, id, by)).rejects.toMatchObject({ code: "invalid", message });
    expect(await counts()).toMatchObject({ likesCount: 0 });
  });

  test("the counters equal the rows after any sequence", async () => {
    const step = fc.oneof(
      fc.record({ by: fc.integer({ min: -6, max: 6 }).filter((by) => by !== 0) }),
      fc.record({ like: fc.constantFrom("tobias" as const, "ruth" as const), wanted: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const each of steps)
          if ("by" in each) await adjustLikes(world.site, world.ruth, id, each.by);
          else await setLike(world.site, world[each.like], id, each.wanted);
        const { likesCount, adjustedLikes, real, adjusted } = await counts();
        expect({ likesCount, adjustedLikes }).toEqual({ likesCount: real + adjusted, adjustedLikes: adjusted });
      }),
      { numRuns: propertyRuns(20) },
    );
  });
});

describe("setting views", () => {
  test("sets the counter and is audited", async () => {
    await setViews(world.site, world.ruth, id, 1234);
    expect(await counts()).toMatchObject({ views: 1234 });
    expect(await log()).toEqual([{ action: "post.views-set", before: { title: "Night Bus", views: 0 }, after: { views: 1234 } }]);
  });

  test.each([
    ...[-1, 0.5, Number.NaN].map((views): [number, string] => [views, "Views must be a whole number of zero or more"]),
    [3_000_000_000, "Views can be at most 2,000,000,000"],
  ])("%s is refused", async (views, message) => {
    await expect(setViews(world.site, world.ruth, id, views)).rejects.toMatchObject({ code: "invalid", field: "views", message });
  });
});

describe("adjusted likes are undone", () => {
  test("added likes are removed, those of readers stay", async () => {
    await setLike(world.site, world.tobias, id, true);
    await adjustLikes(world.site, world.ruth, id, 300);
    await setLike(world.site, world.salma, id, true);
    await undo();
    expect(await counts()).toMatchObject({ likesCount: 2, adjustedLikes: 0, real: 2, adjusted: 0 });
    expect((await log())[0]).toEqual({ action: "act.undone", before: { done: "likes" }, after: { title: "Night Bus" } });
  });

  test("removed likes of readers are restored and counted", async () => {
    for (const who of [world.tobias, world.salma, await addMember(world, "Kenji Watanabe")] as Member[]) {
      await setLike(world.site, who, id, true);
      world.clock.advance(1_000);
    }
    const before = { rows: await likers(), likes: (await readCounters(world.site)).likes };
    await adjustLikes(world.site, world.ruth, id, 2);
    await adjustLikes(world.site, world.ruth, id, -4);
    expect(await counts()).toMatchObject({ likesCount: 1, adjustedLikes: 0, real: 1 });
    await undo();
    expect(await counts()).toMatchObject({ likesCount: 5, adjustedLikes: 2, real: 3, adjusted: 2 });
    expect({ rows: await likers(), likes: (await readCounters(world.site)).likes }).toEqual(before);
    await undo(1);
    expect(await counts()).toMatchObject({ likesCount: 3, adjustedLikes: 0, real: 3, adjusted: 0 });
  });

  test("a reader who liked the story again is counted once", async () => {
    await setLike(world.site, world.tobias, id, true);
    await adjustLikes(world.site, world.ruth, id, -1);
    await setLike(world.site, world.tobias, id, true);
    await undo();
    expect(await counts()).toMatchObject({ likesCount: 1, real: 1 });
  });

  test("latest first, and only once", async () => {
    await adjustLikes(world.site, world.ruth, id, 10);
    await adjustLikes(world.site, world.ruth, id, -3);
    await expect(undo(1)).rejects.toMatchObject({
      code: "conflict",
      message: "These numbers have changed again since. Undo the newer change first.",
    });
    await undo(0);
    await expect(undo(0)).rejects.toMatchObject({ code: "conflict" });
    await undo(1);
    expect(await counts()).toMatchObject({ likesCount: 0, adjustedLikes: 0, adjusted: 0 });
  });

  test("for 30 days, in which removed likes are kept", async () => {
    await setLike(world.site, world.tobias, id, true);
    await adjustLikes(world.site, world.ruth, id, -1);
    const kept = async () => (await world.site.db.selectFrom("removed_likes").select("userId").execute()).length;
    world.clock.advance(undoWindowMs - 1);
    await sweepDeleted(world.site);
    expect(await kept()).toBe(1);
    world.clock.advance(1);
    await expect(undo()).rejects.toMatchObject({ code: "conflict", message: "This can’t be undone after 30 days" });
    await sweepDeleted(world.site);
    expect(await kept()).toBe(0);
  });

  test("undoing everything leaves the likes of readers, after any sequence", async () => {
    const step = fc.oneof(
      fc.record({ by: fc.integer({ min: -6, max: 6 }).filter((by) => by !== 0) }),
      fc.record({ like: fc.constantFrom("tobias" as const, "salma" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        for (const each of steps)
          if ("by" in each) await adjustLikes(world.site, world.ruth, id, each.by);
          else await setLike(world.site, world[each.like], id, true);
        const moderationActions = await listModerationActions(world.site, world.ruth, `post:${id}`);
        for (const moderationAction of moderationActions.filter(({ undoneAt }) => undoneAt === null))
          await undoModerationAction(world.site, world.ruth, moderationAction.id);
        const liked = new Set(steps.flatMap((each) => ("like" in each ? [each.like] : [])));
        expect(await counts()).toMatchObject({ likesCount: liked.size, adjustedLikes: 0, real: liked.size, adjusted: 0 });
        for (const who of liked) await setLike(world.site, world[who], id, false);
      }),
      { numRuns: propertyRuns(15) },
    );
  });
});

describe("views that were set are undone", () => {
  test("views since then stay counted", async () => {
    await setViews(world.site, world.ruth, id, 100);
    await setViews(world.site, world.ruth, id, 5_000);
    await countView(world.site, world.tobias, { ip: "1.2.3.4", userAgent: null }, id);
    expect((await counts()).views).toBe(5_001);
    await expect(undo(1)).rejects.toMatchObject({ code: "conflict" });
    await undo(0);
    expect((await counts()).views).toBe(101);
    await undo(1);
    expect((await counts()).views).toBe(1);
  });

  test("the history has the amount of each change", async () => {
    await setViews(world.site, world.ruth, id, 100);
    await setViews(world.site, world.ruth, id, 40);
    await adjustLikes(world.site, world.ruth, id, 7);
    const moderationActions = await listModerationActions(world.site, world.ruth, `post:${id}`);
    expect(moderationActions.map(({ kind, by }) => [kind, by])).toEqual([
      ["likes", 7],
      ["views", -60],
      ["views", 100],
    ]);
  });
});
