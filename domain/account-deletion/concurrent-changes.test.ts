import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { holdLocks, untilWaiting, withWarnings } from "../../tests/postgres/locks.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, password, type World } from "../../tests/support/world.ts";
import { readFollowCounts, setFollow } from "../follows/follows.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import type { Site } from "../site.ts";
import { deleteAccount } from "./delete-account.server.ts";

let world: World;
let site: Site;
let warnings: string[];
beforeEach(async () => {
  world = await openWorld();
  ({ site, warnings } = withWarnings(world.site));
});
afterEach(() => world.close());

describe("while Maren's account is deleted", () => {
  test.each([
    ["the only like", []],
    ["a like", ["tobias", "ruth"]],
  ] as const)("%s that she withdraws is subtracted once, without a deadlock", async (_, others) => {
    const { maren, salma } = world;
    await addPost(world, salma, { id: "moor" });
    for (const member of [maren, ...others.map((name) => world[name])]) await setLike(site, member, "moor", true);
    await setBookmark(site, maren, "moor", true);
    const release = await holdLocks(site, (db) =>
      db.selectFrom("member_counters").select("userId").where("userId", "=", salma.id).forUpdate().execute(),
    );
    const withdrawing = setLike(site, maren, "moor", false);
    await untilWaiting(site, 1);
    const deletion = deleteAccount(site, maren, password);
    await untilWaiting(site, 2);
    await release();
    await Promise.all([withdrawing, deletion]);
    const { likesCount, bookmarksCount } = await site.db
      .selectFrom("posts")
      .select(["likesCount", "bookmarksCount"])
      .executeTakeFirstOrThrow();
    expect({ likesCount, bookmarksCount, warnings }).toEqual({ likesCount: others.length, bookmarksCount: 0, warnings: [] });
  });

  test.each(["maren", "tobias"] as const)("a follow that %s ends is subtracted once, without a deadlock", async (follower) => {
    const { maren, tobias, ruth } = world;
    const followed = follower === "maren" ? tobias : maren;
    await setFollow(site, world[follower], { userId: followed.id, following: true });
    await setFollow(site, ruth, { userId: tobias.id, following: true });
    await setFollow(site, tobias, { userId: ruth.id, following: true });
    const release = await holdLocks(site, (db) =>
      db.selectFrom("follow_counts").select("userId").where("userId", "=", tobias.id).forUpdate().execute(),
    );
    const ending = setFollow(site, world[follower], { userId: followed.id, following: false });
    await untilWaiting(site, 1);
    const deletion = deleteAccount(site, maren, password);
    await untilWaiting(site, 2);
    await release();
    await Promise.all([ending, deletion]);
    expect(await readFollowCounts(site, tobias.id)).toEqual({ followers: 1, following: 1 });
    expect(warnings).toEqual([]);
  });

  test("a message to her is refused, without a deadlock", async () => {
    const { maren, tobias } = world;
    await sendMessage(site, maren, { to: tobias.id, text: "I’m leaving", sendId: "1" });
    const release = await holdLocks(site, (db) => sql`lock table deleted_accounts in share mode`.execute(db));
    const deletion = deleteAccount(site, maren, password);
    await untilWaiting(site, 1);
    const sending = expect(sendMessage(site, tobias, { to: maren.id, text: "Oh no!", sendId: "2" })).rejects.toMatchObject({
      code: "not-found",
    });
    await untilWaiting(site, 2);
    await release();
    await Promise.all([deletion, sending]);
    expect(await site.db.selectFrom("messages").select("id").execute()).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
