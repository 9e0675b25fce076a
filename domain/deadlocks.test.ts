import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { holdLocks, untilWaiting, withWarnings } from "../tests/postgres/locks.ts";
import { addPost } from "../tests/support/posts.ts";
import { openWorld, type World } from "../tests/support/world.ts";
import { undoModerationAction } from "./moderation/undo.server.ts";
import { deletePost, eraseDeleted } from "./posts/posts.server.ts";
import { countReports } from "./reports/report-reads.server.ts";
import { findOwnReport, report, setReportStatus } from "./reports/reports.server.ts";
import { type Site, type SiteTransaction, transaction } from "./site.ts";

let world: World;
let site: Site;
let warnings: string[];
beforeEach(async () => {
  world = await openWorld();
  ({ site, warnings } = withWarnings(world.site));
});
afterEach(() => world.close());

const repeated = "a transaction is repeated after a deadlock";

describe("a deadlock", () => {
  const lock = ({ db }: SiteTransaction, id: string) => db.selectFrom("posts").select("id").where("id", "=", id).forUpdate().execute();

  test("is resolved by repeating one of the two transactions, with what it collected", async () => {
    for (const id of ["moor", "tides"]) await addPost(world, world.maren, { id });
    const bothLocked = Promise.withResolvers<void>();
    const done: string[] = [];
    let tries = 0;
    const change = (first: string, second: string) =>
      transaction(site, async (tx) => {
        await lock(tx, first);
        if (++tries === 2) bothLocked.resolve();
        await bothLocked.promise;
        tx.changed("post.changed", { id: first });
        tx.beforeCommit(async () => void done.push(`before ${first}`));
        tx.afterCommit(() => void done.push(`after ${first}`));
        await lock(tx, second);
        return first;
      });
    expect(await Promise.all([change("moor", "tides"), change("tides", "moor")])).toEqual(["moor", "tides"]);
    // The repeated one may lock its first story before the other, which was waiting for it: then they deadlock once more.
    expect(new Set(warnings)).toEqual(new Set([repeated]));
    expect(tries).toBe(2 + warnings.length);
    expect(done.toSorted()).toEqual(["after moor", "after tides", "before moor", "before tides"]);
    const events = await site.db.selectFrom("events").select("topic").where("type", "=", "post.changed").execute();
    expect(events.map(({ topic }) => topic).toSorted()).toEqual(["post:moor", "post:tides"]);
  });
});

describe("don't deadlock", () => {
  test("settling one report and reopening another", async () => {
    const { maren, tobias, ruth } = world;
    const reportOf = async (id: string) => {
      const about = { kind: "post", subjectId: await addPost(world, maren, { id }) } as const;
      await report(site, tobias, { ...about, reason: "spam", note: "" });
      return findOwnReport(site, tobias, about);
    };
    const [settled, pending] = [await reportOf("moor"), await reportOf("tides")];
    await setReportStatus(site, ruth, settled, "resolved");
    const release = await holdLocks(site, (db) =>
      db.selectFrom("report_counts").selectAll().where("status", "=", "resolved").forUpdate().execute(),
    );
    const reopening = setReportStatus(site, ruth, settled, "pending");
    await untilWaiting(site, 1);
    const settling = setReportStatus(site, ruth, pending, "resolved");
    await untilWaiting(site, 2);
    await release();
    await Promise.all([reopening, settling]);
    expect(await countReports(site, ruth)).toMatchObject({ pending: 1, resolved: 1 });
    expect(warnings).toEqual([]);
  });

  test("erasing a deleted story and undoing its deletion", async () => {
    const { maren, ruth } = world;
    await addPost(world, maren, { id: "moor" });
    await deletePost(site, ruth, "moor", { reason: "Insults" });
    const { id } = await site.db.selectFrom("moderation_actions").select("id").executeTakeFirstOrThrow();
    const release = await holdLocks(site, (db) => db.selectFrom("posts").select("id").where("id", "=", "moor").forUpdate().execute());
    const erasing = eraseDeleted(site, ruth, "moor");
    await untilWaiting(site, 1);
    const undoing = expect(undoModerationAction(site, ruth, id)).rejects.toMatchObject({ code: "conflict" });
    await untilWaiting(site, 2);
    await release();
    await Promise.all([erasing, undoing]);
    expect(warnings).toEqual([]);
  });
});
