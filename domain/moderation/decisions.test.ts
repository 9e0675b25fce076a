import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listForAdmin } from "#domain/moderation/posts/admin-list.server.ts";
import { moderatePost, moderatePosts } from "#domain/moderation/posts/moderate-many.server.ts";
import { resetProfile } from "#domain/moderation/profiles/reset-profile.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { picture } from "../../tests/support/pictures.ts";
import { addPost, searchPosts } from "../../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { listAudit } from "../audit/audit.server.ts";
import { readCounters } from "../counters/counters.server.ts";
import { findDocument, listDocuments } from "../documents/documents.server.ts";
import { siteFeed } from "../feeds/feeds.server.ts";
import { allowedTopics } from "../live.server.ts";
import { listLatest, listOwnPosts, readPost } from "../posts/post-reads.server.ts";
import { createPost, deletePost } from "../posts/posts.server.ts";
import { readForEditing, setPostStatus, updatePost } from "../posts/update-post.server.ts";
import { findProfile } from "../profiles/profile-reads.server.ts";
import { updateProfile } from "../profiles/profiles.server.ts";
import { countReports, listReports } from "../reports/report-reads.server.ts";
import { report, setReportStatus } from "../reports/reports.server.ts";
import type { Viewer } from "../site.ts";
import { answerAppeal, appeal } from "./appeals.server.ts";
import { listAnswers, listNotices, readNotice } from "./notices.server.ts";
import { suspendMember } from "./suspensions.server.ts";
import { sweepDeleted } from "./sweep-deleted.server.ts";
import { undoBatch, undoModerationAction } from "./undo.server.ts";

const day = 24 * 60 * 60 * 1000;

let world: World;
beforeEach(async () => {
  world = await openWorld();
  for (const id of ["moor", "sea"]) await addPost(world, world.maren, { id, title: `About the ${id}`, plainText: `words of the ${id}` });
});
afterEach(() => world.close());

const row = (id: string) =>
  world.site.db.selectFrom("posts").select(["status", "heldBy", "featured"]).where("id", "=", id).executeTakeFirst();
const notices = () => listNotices(world.site, world.maren);
const newest = async () => (await notices())[0]?.id ?? "";
const why = { reason: "It names a neighbour" };
const may = (viewer: Viewer, id: string) =>
  readPost(world.site, viewer, id).then(
    () => true,
    () => false,
  );

describe("a held story", () => {
  test("is visible only to its author and staff", async () => {
    const { site, maren, tobias, ruth } = world;
    await holdPost(site, ruth, "moor", why);
    expect(await Promise.all([null, tobias, maren, ruth].map((viewer) => may(viewer, "moor")))).toEqual([false, false, true, true]);
    const ids = (posts: { id: string }[]) => posts.map(({ id }) => id);
    expect(ids((await listLatest(site, { limit: 9 })).posts)).toEqual(["sea"]);
    expect(ids(await searchPosts(site, { text: "moor", limit: 9 }))).toEqual([]);
    expect(JSON.stringify(await siteFeed(site))).not.toContain("moor");
    const query = { filters: [], orders: [], limit: 9, offset: 0, counted: true };
    const { documents } = await listDocuments(site, tobias, "posts", query as never);
    expect(documents.map(({ id }) => id)).toEqual(["sea"]);
    await expect(findDocument(site, tobias, "posts", "moor")).rejects.toMatchObject({ code: "not-found" });
    expect(await allowedTopics(site, tobias, ["post:moor"])).toEqual([]);
  });

  test("shows its author the reason everywhere", async () => {
    const { site, maren, ruth, emails } = world;
    await holdPost(site, ruth, "moor", why);
    expect((await readPost(site, maren, "moor")).notice).toMatchObject({ kind: "hold", reason: why.reason });
    expect((await listOwnPosts(site, maren, { limit: 9 })).posts.find(({ id }) => id === "moor")).toMatchObject({ held: "hold" });
    expect(await notices()).toMatchObject([{ kind: "hold", title: "About the moor", postId: "moor", reason: why.reason, seen: false }]);
    await site.background.settled();
    expect(emails).toMatchObject([{ to: maren.email, subject: "Your story is being reviewed (Inkstead)" }]);
    expect(emails[0]?.text).toContain(why.reason);
  });

  test("can be edited by its author but not published", async () => {
    const { site, maren, ruth } = world;
    await holdPost(site, ruth, "moor", why);
    await expect(setPostStatus(site, maren, "moor", "active")).rejects.toMatchObject({ code: "not-allowed" });
    const { version } = await readForEditing(site, maren, "moor");
    const change = { title: "Milder", content: "milder words" };
    await expect(updatePost(site, maren, "moor", { ...change, status: "active" }, { version })).rejects.toThrow("being reviewed");
    await updatePost(site, maren, "moor", { ...change, status: "inactive" }, { version });
    expect(await row("moor")).toMatchObject({ status: "inactive", heldBy: expect.any(String) });
  });

  test("is restored by a release, an undo or publishing", async () => {
    const { site, ruth } = world;
    await addPost(world, world.maren, { id: "draft", status: "inactive" });
    await holdPost(site, ruth, "draft", why);
    await undoModerationAction(site, ruth, await newest());
    expect(await row("draft")).toMatchObject({ status: "inactive", heldBy: null });
    await holdPost(site, ruth, "moor", why);
    await setPostStatus(site, ruth, "moor", "active");
    expect(await row("moor")).toMatchObject({ status: "active", heldBy: null });
  });

  test("counts as a draft and is found under Held", async () => {
    await holdPost(world.site, world.ruth, "moor", why);
    const listing = { search: "", featured: "all", sort: "newest", limit: 9, page: 1 } as const;
    const held = await listForAdmin(world.site, world.ruth, { ...listing, status: "held" });
    expect(held).toMatchObject({ total: 1, posts: [{ id: "moor", held: "hold" }] });
    expect(await readCounters(world.site)).toMatchObject({ published: 1, drafts: 1 });
  });

  test("requires the permission", async () => {
    await expect(holdPost(world.site, world.tobias, "moor", why)).rejects.toMatchObject({ code: "not-allowed" });
    await expect(holdPost(world.site, world.ruth, "nowhere", why)).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("a deleted story", () => {
  test("can be restored for 30 days", async () => {
    const { site, ruth, maren, clock } = world;
    const id = (await createPost(site, maren, { title: "Lamps", slug: "lamps", content: "", status: "active" }, await picture())).id;
    await deletePost(site, ruth, id, why);
    expect(await may(world.tobias, id)).toBe(false);
    expect((await readPost(site, maren, id)).notice).toMatchObject({ kind: "delete", endsAt: site.now() + 30 * day });
    await undoModerationAction(site, ruth, await newest());
    expect(await row(id)).toMatchObject({ status: "active", heldBy: null });
    await deletePost(site, ruth, id, why);
    clock.advance(29 * day);
    await sweepDeleted(site);
    expect(await row(id)).toBeDefined();
    clock.advance(2 * day);
    await sweepDeleted(site);
    expect(await row(id)).toBeUndefined();
    await expect(undoModerationAction(site, ruth, await newest())).rejects.toMatchObject({ code: "conflict" });
  });

  test("is erased at once on request or by its author", async () => {
    const { site, ruth, maren } = world;
    await expect(moderatePost(site, ruth, "moor", "erase")).rejects.toMatchObject({ code: "invalid" });
    await deletePost(site, ruth, "moor", why);
    await deletePost(site, ruth, "moor", why);
    expect(await notices()).toHaveLength(1);
    await moderatePost(site, ruth, "moor", "erase");
    await deletePost(site, ruth, "sea", why);
    await deletePost(site, maren, "sea");
    expect([await row("moor"), await row("sea")]).toEqual([undefined, undefined]);
    await expect(undoModerationAction(site, ruth, await newest())).rejects.toThrow("the story was deleted");
  });

  test("returns to its hold", async () => {
    const { site, ruth } = world;
    await holdPost(site, ruth, "moor", why);
    const held = await newest();
    await deletePost(site, ruth, "moor", why);
    await expect(undoModerationAction(site, ruth, held)).rejects.toThrow("A later decision");
    await undoModerationAction(site, ruth, await newest());
    expect(await row("moor")).toMatchObject({ status: "inactive", heldBy: held });
    await undoModerationAction(site, ruth, held);
    expect(await row("moor")).toMatchObject({ status: "active", heldBy: null });
  });
});

describe("undoing", () => {
  test("undoes a bulk action, counting failures", async () => {
    const { site, ruth, maren } = world;
    await moderatePosts(site, ruth, ["moor", "sea"], "delete", why.reason);
    const { batchId } = (await site.db.selectFrom("moderation_actions").select("batchId").executeTakeFirst()) ?? {};
    await deletePost(site, maren, "sea");
    expect(await undoBatch(site, ruth, batchId ?? "")).toEqual({ successful: 1, failed: 1 });
    expect(await row("moor")).toMatchObject({ status: "active" });
  });

  test("needs no reason and works once", async () => {
    const { site, ruth } = world;
    await moderatePosts(site, ruth, ["moor"], "feature");
    const { id = "" } = (await site.db.selectFrom("moderation_actions").select("id").executeTakeFirst()) ?? {};
    await undoModerationAction(site, ruth, id);
    expect(await row("moor")).toMatchObject({ featured: false });
    await expect(undoModerationAction(site, ruth, id)).rejects.toThrow("already undone");
    expect(await notices()).toEqual([]);
  });

  test("ends after 30 days for inactive actions", async () => {
    const { site, ruth, clock } = world;
    await setPostStatus(site, ruth, "moor", "inactive", why);
    clock.advance(30 * day + 1);
    await expect(undoModerationAction(site, ruth, await newest())).rejects.toThrow("after 30 days");
  });

  test("requires the permission and is logged", async () => {
    const { site, ruth, maren } = world;
    await setPostStatus(site, ruth, "moor", "inactive", why);
    await expect(undoModerationAction(site, maren, await newest())).rejects.toMatchObject({ code: "not-allowed" });
    await undoModerationAction(site, ruth, await newest());
    const { entries } = await listAudit(site, ruth, { limit: 9 });
    expect(entries.map(({ action }) => action)).toEqual(["act.undone", "post.unpublished"]);
    expect(entries[1]).toMatchObject({
      after: { status: "inactive", reason: why.reason },
      moderationAction: { id: await newest(), kind: "unpublish" },
    });
  });
});

describe("an appeal", () => {
  test("is queued, answered and, if granted, undoes the action", async () => {
    const { site, maren, ruth, emails } = world;
    await holdPost(site, ruth, "moor", why);
    const actionId = await newest();
    await appeal(site, maren, actionId, "The neighbour is invented.");
    const [waiting] = (await listReports(site, ruth, { status: "pending", limit: 9 })).reports;
    expect(waiting).toMatchObject({ kind: "appeal", subjectId: actionId, note: "The neighbour is invented.", ownerId: maren.id });
    await answerAppeal(site, ruth, waiting?.id ?? "", { grant: true, answer: "So he is. Sorry." });
    expect(await row("moor")).toMatchObject({ status: "active", heldBy: null });
    const { appeals, notice } = await readNotice(site, maren, actionId);
    expect(appeals).toMatchObject([{ status: "resolved", answer: "So he is. Sorry." }]);
    expect(notice.undoneAt).not.toBeNull();
    await site.background.settled();
    expect(emails.at(-1)?.text).toContain("So he is. Sorry.");
    expect(await countReports(site, ruth)).toEqual({ pending: 0, resolved: 1, dismissed: 0, all: 1 });
  });

  test("is limited to one at a time and three in total, against the member's own active actions", async () => {
    const { site, maren, tobias, ruth } = world;
    await setPostStatus(site, ruth, "moor", "inactive", why);
    const actionId = await newest();
    await expect(appeal(site, tobias, actionId, "let me")).rejects.toMatchObject({ code: "not-found" });
    for (let round = 1; round <= 3; round++) {
      await appeal(site, maren, actionId, `Please, ${round}`);
      await expect(appeal(site, maren, actionId, "And again")).rejects.toMatchObject({ code: "conflict" });
      const [waiting] = (await listReports(site, ruth, { status: "pending", limit: 1 })).reports;
      await answerAppeal(site, ruth, waiting?.id ?? "", { grant: false, answer: "No." });
      await expect(answerAppeal(site, ruth, waiting?.id ?? "", { grant: true, answer: "Yes." })).rejects.toMatchObject({
        code: "conflict",
      });
    }
    await expect(appeal(site, maren, actionId, "Please, 4")).rejects.toMatchObject({ code: "too-many" });
    await undoModerationAction(site, ruth, actionId);
    await expect(appeal(site, maren, actionId, "Please, 5")).rejects.toMatchObject({ code: "conflict" });
  });

  test("can't be settled like a report", async () => {
    const { site, maren, ruth } = world;
    await holdPost(site, ruth, "moor", why);
    await appeal(site, maren, await newest(), "Why?");
    const [waiting] = (await listReports(site, ruth, { status: "pending", limit: 1 })).reports;
    await expect(setReportStatus(site, ruth, waiting?.id ?? "", "resolved")).rejects.toMatchObject({ code: "invalid" });
  });
});

test("a report can be dismissed with an answer to the reporter", async () => {
  const { site, ruth, tobias, emails } = world;
  await report(site, tobias, { kind: "post", subjectId: "moor", reason: "spam", note: "" });
  const [{ id = "" } = {}] = (await listReports(site, ruth, { status: "pending", limit: 1 })).reports;
  await setReportStatus(site, ruth, id, "dismissed", "It is a poem.");
  expect(await listAnswers(site, tobias)).toMatchObject([{ id, status: "dismissed", answer: "It is a poem." }]);
  await site.background.settled();
  expect(emails.at(-1)).toMatchObject({ to: tobias.email });
});

test("a reset profile is empty; undoing restores only empty fields", async () => {
  const { site, ruth, tobias } = world;
  const profile = { userName: "Tobias Lindqvist", bio: "Buy lamps", location: "Ulm", website: "lamps.example" };
  await updateProfile(site, tobias, { ...profile, twitter: "", github: "", linkedIn: "" });
  await resetProfile(site, ruth, tobias.id, why);
  expect(await findProfile(site, tobias.id)).toMatchObject({ bio: "", location: "", website: "" });
  const [{ id = "" } = {}] = await listNotices(site, tobias);
  expect((await readNotice(site, tobias, id)).cleared).toMatchObject({ bio: "Buy lamps", location: "Ulm" });
  await updateProfile(site, tobias, { ...profile, location: "", website: "", bio: "I read", twitter: "", github: "", linkedIn: "" });
  await undoModerationAction(site, ruth, id);
  expect(await findProfile(site, tobias.id)).toMatchObject({ bio: "I read", location: "Ulm", website: "lamps.example" });
});

describe("a suspension", () => {
  test("is announced, ends by itself and can be lifted", async () => {
    const { site, maren, ruth, emails } = world;
    await suspendMember(site, ruth, maren.id, { days: 3, reason: "Insults" });
    expect(await notices()).toMatchObject([{ kind: "suspend", reason: "Insults", endsAt: site.now() + 3 * day }]);
    await site.background.settled();
    expect(emails.at(-1)?.text).toContain("Insults");
    const first = await newest();
    await suspendMember(site, ruth, maren.id, { days: 7, reason: "More insults" });
    await expect(undoModerationAction(site, ruth, first)).rejects.toThrow("was replaced");
    await undoModerationAction(site, ruth, await newest());
    await expect(undoModerationAction(site, ruth, await newest())).rejects.toThrow("already undone");
  });

  test("requires a valid duration and an existing member who isn't staff or oneself", async () => {
    const { site, maren, ruth } = world;
    const suspension = { days: 3, reason: "Insults" };
    const other = await addMember(world, "Ada", { staff: "administrator" });
    await expect(suspendMember(site, ruth, other.id, suspension)).rejects.toThrow("Staff can’t be suspended");
    await expect(suspendMember(site, ruth, ruth.id, suspension)).rejects.toThrow("yourself");
    await expect(suspendMember(site, ruth, maren.id, { ...suspension, days: 0 })).rejects.toMatchObject({ code: "invalid" });
    await expect(suspendMember(site, ruth, "nobody", suspension)).rejects.toMatchObject({ code: "not-found" });
    await expect(suspendMember(site, maren, world.tobias.id, suspension)).rejects.toMatchObject({ code: "not-allowed" });
  });
});
