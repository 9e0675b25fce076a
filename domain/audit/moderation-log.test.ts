import { afterEach, beforeEach, expect, test } from "vitest";
import { moderatePost, moderatePosts } from "#domain/moderation/posts/moderate-many.server.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { deletePost } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { listReports } from "../reports/report-reads.server.ts";
import { report, setReportStatus } from "../reports/reports.server.ts";
import { listAudit } from "./audit.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
  for (const id of ["one", "two", "three"]) await addPost(world, world.maren, { id });
});
afterEach(() => world.close());

const log = async () =>
  (await listAudit(world.site, world.ruth, { limit: 50 })).entries.map(({ action, subject }) => `${action} ${subject}`);

test("logs administrators' actions on others' stories, but not authors' own", async () => {
  await setPostStatus(world.site, world.maren, "one", "inactive");
  await setPostStatus(world.site, world.ruth, "one", "active");
  await setPostStatus(world.site, world.ruth, "one", "active");
  await deletePost(world.site, world.maren, "two");
  await deletePost(world.site, world.ruth, "three");
  expect(await log()).toEqual(["post.deleted post:three", "post.published post:one"]);
});

test("every action on a story works", async () => {
  const state = async () => {
    const columns = ["status", "featured", "pinned"] as const;
    return { ...(await world.site.db.selectFrom("posts").select(columns).where("id", "=", "one").executeTakeFirst()) };
  };
  const at = { status: "active", featured: false, pinned: false };
  const steps = [
    ["unpublish", { ...at, status: "inactive" }],
    ["publish", at],
    ["feature", { ...at, featured: true }],
    ["unfeature", at],
    ["pin", { ...at, pinned: true }],
    ["unpin", at],
    ["hold", { ...at, status: "inactive" }],
    ["publish", at],
    // Hidden for 30 days, then erased.
    ["delete", { ...at, status: "inactive" }],
    ["erase", {}],
  ] as const;
  for (const [action, after] of steps) {
    await moderatePost(world.site, world.ruth, "one", action);
    expect([action, await state()]).toEqual([action, after]);
  }
});

test("bulk actions are applied and counted one by one", async () => {
  const result = await moderatePosts(world.site, world.ruth, ["one", "nowhere", "two", "one"], "unpublish");
  expect(result).toMatchObject({ successful: 2, failed: 1, errors: [{ id: "nowhere", message: "Not found" }] });
  expect((await log()).toSorted()).toEqual(["post.unpublished post:one", "post.unpublished post:two"]);
});

test("unknown operations fail for each story", async () => {
  const result = await moderatePosts(world.site, world.ruth, ["one", "two"], "explode");
  expect(result).toMatchObject({ successful: 0, failed: 2, errors: [{ message: "Invalid operation" }, { message: "Invalid operation" }] });
});

test("requires the permission, for one story or many", async () => {
  await expect(moderatePosts(world.site, world.maren, ["one"], "delete")).rejects.toMatchObject({ code: "not-allowed" });
  await expect(moderatePost(world.site, world.maren, "one", "feature")).rejects.toMatchObject({ code: "not-allowed" });
  const hundredAndOne = Array.from({ length: 101 }, (_, index) => `story-${index}`);
  await expect(moderatePosts(world.site, world.ruth, hundredAndOne, "publish")).rejects.toMatchObject({ code: "invalid" });
});

test("logs settled and reopened reports", async () => {
  await report(world.site, world.tobias, { kind: "post", subjectId: "one", reason: "spam", note: "" });
  const [{ id = "" } = {}] = (await listReports(world.site, world.ruth, { status: "pending", limit: 1 })).reports;
  await setReportStatus(world.site, world.ruth, id, "dismissed");
  await setReportStatus(world.site, world.ruth, id, "pending");
  expect(await log()).toEqual([`report.pending report:${id}`, `report.dismissed report:${id}`]);
});
