import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminPostQuery, findForAdmin, listForAdmin } from "#domain/moderation/posts/admin-list.server.ts";
import { moderatePost, moderatePosts } from "#domain/moderation/posts/moderate-many.server.ts";
import { days } from "#platform/time.ts";
import { picture } from "../../tests/support/pictures.ts";
import { addPost } from "../../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { readDashboard } from "../dashboard/dashboard.server.ts";
import { findDocument, listDocuments } from "../documents/documents.server.ts";
import { findReadableFile } from "../files/serve.server.ts";
import { allowedTopics } from "../live.server.ts";
import { readPost } from "../posts/post-reads.server.ts";
import { createPost, deletePost } from "../posts/posts.server.ts";
import { readForEditing, setPostStatus, updatePost } from "../posts/update-post.server.ts";
import { holdPost } from "../posts/visibility.server.ts";
import { listReports } from "../reports/report-reads.server.ts";
import type { Member } from "../site.ts";
import { answerAppeal, appeal } from "./appeals.server.ts";
import { listNotices } from "./notices.server.ts";
import { undoModerationAction } from "./undo.server.ts";

let world: World;
let mona: Member;
beforeAll(async () => {
  world = await openWorld();
  mona = await addMember(world, "Mona Moderates", { staff: "moderator" });
  await addPost(world, world.maren, { id: "moor", title: "About the moor" });
  await addPost(world, world.maren, { id: "held", title: "About a neighbour" });
  await addPost(world, world.maren, { id: "draft", title: "About nobody yet", status: "inactive" });
  await holdPost(world.site, world.ruth, "held", { reason: "It names a neighbour" });
});
afterAll(() => world.close());

const everything: AdminPostQuery = { search: "", status: "all", featured: "all", sort: "newest", limit: 9, page: 1 };
const listed = async (viewer: Member, chosen: Partial<AdminPostQuery> = {}) =>
  (await listForAdmin(world.site, viewer, { ...everything, ...chosen })).posts.map(({ id }) => id).toSorted();
const notFound = { code: "not-found" };

test("moderators read held stories and no drafts; administrators read both", async () => {
  const { site, ruth } = world;
  expect((await readPost(site, mona, "held")).title).toBe("About a neighbour");
  await expect(readPost(site, mona, "draft")).rejects.toMatchObject(notFound);
  expect((await readPost(site, ruth, "draft")).title).toBe("About nobody yet");
  expect([...(await allowedTopics(site, mona, ["post:draft", "post:held"]))]).toEqual(["post:held"]);
  await expect(findDocument(site, mona, "posts", "draft")).rejects.toMatchObject(notFound);
  const query = { filters: [], orders: [], limit: 9, offset: 0, counted: true };
  const { documents } = await listDocuments(site, mona, "posts", query as never);
  expect(documents.map(({ id }) => id)).toEqual(["moor"]);
});

test("a moderator's lists have no drafts, a search doesn't either", async () => {
  const { site, ruth } = world;
  expect(await listed(mona)).toEqual(["moor"]);
  expect(await listed(mona, { search: "about" })).toEqual(["moor"]);
  expect(await listed(mona, { status: "held" })).toEqual(["held"]);
  await expect(listed(mona, { status: "inactive" })).rejects.toMatchObject({ code: "not-allowed" });
  expect(await listed(ruth)).toEqual(["draft", "held", "moor"]);
  expect(await listed(ruth, { search: "about" })).toEqual(["draft", "held", "moor"]);
  const recent = async (viewer: Member) => (await readDashboard(site, viewer, 7)).recentPosts.map(({ id }) => id).toSorted();
  expect([await recent(mona), await recent(ruth)]).toEqual([["moor"], ["draft", "held", "moor"]]);
});

test.each(["publish", "unpublish", "hold", "feature", "pin", "delete"] as const)("a moderator can't %s a draft", async (action) => {
  const { site } = world;
  await expect(moderatePost(site, mona, "draft", action, { reason: "why" })).rejects.toMatchObject(notFound);
  const { failed } = await moderatePosts(site, mona, ["draft"], action, "why");
  expect(failed).toBe(1);
  await expect(findForAdmin(site, mona, "draft")).rejects.toMatchObject(notFound);
  await expect(deletePost(site, mona, "draft")).rejects.toMatchObject(notFound);
  const row = await site.db.selectFrom("posts").select(["status", "heldBy", "featured", "pinned"]).where("id", "=", "draft").execute();
  expect(row).toEqual([{ status: "inactive", heldBy: null, featured: false, pinned: false }]);
});

test("moderators read a story that staff unpublished, and can undo it, until its author changes it or 30 days have passed", async () => {
  const { site, ruth, maren, tobias, clock } = world;
  const { id } = await createPost(site, maren, { title: "Fen", slug: "fen", content: "Reeds.", status: "active" }, await picture());
  const { featuredImage } = await readPost(site, null, id);
  const isOpen = async (viewer: Member) => {
    const opened = await Promise.allSettled([
      readPost(site, viewer, id),
      findForAdmin(site, viewer, id),
      findReadableFile(site, viewer, featuredImage ?? ""),
      allowedTopics(site, viewer, [`post:${id}`]).then(([topic]) => topic ?? Promise.reject()),
    ]);
    const statuses = new Set(opened.map(({ status }) => status));
    expect(statuses.size).toBe(1);
    return statuses.has("fulfilled");
  };
  const unpublish = async () => {
    clock.advance(1000);
    await setPostStatus(site, ruth, id, "inactive", { reason: "why" });
    expect([await isOpen(mona), await isOpen(ruth), await isOpen(tobias)]).toEqual([true, true, false]);
  };
  await unpublish();
  await setPostStatus(site, mona, id, "active");
  await unpublish();
  await undoModerationAction(site, mona, (await listNotices(site, maren))[0]?.id ?? "");
  expect((await readPost(site, null, id)).status).toBe("active");
  await unpublish();
  clock.advance(days(30));
  expect(await isOpen(mona)).toBe(false);
  await setPostStatus(site, ruth, id, "active");
  await unpublish();
  clock.advance(1000);
  const { version } = await readForEditing(site, maren, id);
  await updatePost(site, maren, id, { title: "Fen", content: "Reeds and rain.", status: "inactive" }, { version });
  expect([await isOpen(mona), await isOpen(ruth)]).toEqual([false, true]);
});

test("what its author took back or rewrote after it was unpublished isn't published by undoing, except if an administrator grants an appeal", async () => {
  const { site, ruth, maren, clock } = world;
  await addPost(world, maren, { id: "sea" });
  const statusNow = async () => (await readPost(site, maren, "sea")).status;
  await setPostStatus(site, ruth, "sea", "inactive", { reason: "why" });
  const [{ id: action = "" } = {}] = await listNotices(site, maren);
  clock.advance(1000);
  await setPostStatus(site, maren, "sea", "active");
  clock.advance(1000);
  await setPostStatus(site, maren, "sea", "inactive");
  await expect(undoModerationAction(site, ruth, action)).rejects.toThrow("has changed since");
  expect(await statusNow()).toBe("inactive");
  await appeal(site, maren, action, "It was fine.");
  const [waiting] = (await listReports(site, ruth, { status: "pending", limit: 1 })).reports;
  expect((await listReports(site, mona, { status: "pending", limit: 1 })).reports).toMatchObject([{ appealed: "post:sea", storyId: null }]);
  const granting = (viewer: Member) => answerAppeal(site, viewer, waiting?.id ?? "", { grant: true, answer: "It was." });
  await expect(granting(mona)).rejects.toThrow("only administrators can read it");
  expect(await statusNow()).toBe("inactive");
  await granting(ruth);
  expect(await statusNow()).toBe("active");
});

test("staff's publication of a story and its unpublication before are undone newest first", async () => {
  const { site, ruth, maren, clock } = world;
  await addPost(world, maren, { id: "dune" });
  for (const status of ["inactive", "active"] as const) {
    clock.advance(1000);
    await setPostStatus(site, ruth, "dune", status);
  }
  const actions = await site.db
    .selectFrom("moderation_actions")
    .select("id")
    .where("subject", "=", "post:dune")
    .orderBy("number")
    .execute();
  for (const { id } of actions.toReversed()) await undoModerationAction(site, ruth, id);
  expect((await readPost(site, null, "dune")).status).toBe("active");
});
