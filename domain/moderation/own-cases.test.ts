import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addPost } from "../../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { listAudit } from "../audit/audit.server.ts";
import { findDocument } from "../documents/documents.server.ts";
import { loadDocumentsUnchecked, mayReceive } from "../documents/live-documents.server.ts";
import { deletePost } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { holdPost } from "../posts/visibility.server.ts";
import { findReport, listReports } from "../reports/report-reads.server.ts";
import { report } from "../reports/reports.server.ts";
import type { Member } from "../site.ts";
import { ownCaseText } from "../staff/own-case-text.ts";
import { appeal } from "./appeals.server.ts";
import { decide, settleQueuedReport } from "./decide.server.ts";
import { listModerationActions, listNotices } from "./notices.server.ts";
import { findForAdmin } from "./posts/admin-list.server.ts";
import { resetProfile } from "./profiles/reset-profile.server.ts";
import { undoBatch, undoModerationAction } from "./undo.server.ts";

let world: World;
let mona: Member;
let adam: Member;
beforeEach(async () => {
  world = await openWorld();
  mona = await addMember(world, "Mona Moderates", { staff: "moderator" });
  adam = await addMember(world, "Adam Administers", { staff: "administrator" });
});
afterEach(() => world.close());

const why = { reason: "It names a neighbour" };
const refused = { code: "not-allowed", message: ownCaseText };
const latest = async (member: Member) => (await listNotices(world.site, member))[0]?.id ?? "";
const heldBy = async (id: string) =>
  (await world.site.db.selectFrom("posts").select("heldBy").where("id", "=", id).executeTakeFirstOrThrow()).heldBy;

async function holdPostOf(author: Member): Promise<string> {
  await addPost(world, author, { id: "moor" });
  await holdPost(world.site, world.ruth, "moor", why);
  return latest(author);
}

describe.each(["moderator", "administrator"] as const)("a %s", (role) => {
  const author = () => (role === "moderator" ? mona : adam);

  test("can't undo a hold of their own story, however they try", async () => {
    const { site } = world;
    const id = await holdPostOf(author());
    await expect(undoModerationAction(site, author(), id)).rejects.toMatchObject(refused);
    await expect(setPostStatus(site, author(), "moor", "active")).rejects.toMatchObject(refused);
    expect(await heldBy("moor")).toBe(id);
    const isOwn = async (viewer: Member) => [
      (await listModerationActions(site, viewer, "post:moor"))[0]?.isOwnCase,
      (await findForAdmin(site, viewer, "moor")).isOwnCase,
    ];
    expect(await isOwn(author())).toEqual([true, true]);
    expect(await isOwn(world.ruth)).toEqual([false, false]);
    await undoModerationAction(site, world.ruth, id);
    expect(await heldBy("moor")).toBeNull();
  });

  test("can't undo it with the whole bulk action", async () => {
    await addPost(world, author(), { id: "moor" });
    await addPost(world, world.maren, { id: "sea" });
    for (const id of ["moor", "sea"]) await deletePost(world.site, world.ruth, id, { ...why, batchId: "cleaning" });
    expect(await undoBatch(world.site, author(), "cleaning")).toEqual({ successful: 1, failed: 1 });
    expect(await heldBy("moor")).not.toBeNull();
  });

  test("can't undo the reset of their own profile", async () => {
    await resetProfile(world.site, world.ruth, author().id, why);
    await expect(undoModerationAction(world.site, author(), await latest(author()))).rejects.toMatchObject(refused);
  });

  test("can't decide about a report of their own story or answer their own appeal", async () => {
    const { site } = world;
    const action = await holdPostOf(author());
    await appeal(site, author(), action, "It is my own garden");
    await report(site, world.ruth, { kind: "profile", subjectId: author().id, reason: "spam", note: "From next door" });
    const own = (await listReports(site, author(), { status: "pending", limit: 9 })).reports;
    expect(own.map(({ kind, isOwnCase }) => [kind, isOwnCase])).toEqual([
      ["profile", true],
      ["appeal", true],
    ]);
    const [profile = "", appealed = ""] = own.map(({ id }) => id);
    expect(own[0]).toMatchObject({ reporterId: null, reporterName: null, note: "", additions: [] });
    expect(own[1]).toMatchObject({ reporterId: author().id, note: "It is my own garden" });
    await expect(findDocument(site, author(), "reports", profile)).rejects.toMatchObject({ code: "not-found" });
    expect((await findDocument(site, author(), "reports", appealed)).id).toBe(appealed);
    const received = await loadDocumentsUnchecked(site, "reports", [profile, appealed]);
    expect(received.map((each) => mayReceive(author(), "reports", each))).toEqual([false, true]);
    expect((await findReport(site, world.ruth, profile)).note).toBe("From next door");
    const decision = { reason: "", answer: "Fine" };
    await expect(settleQueuedReport(site, author(), profile, "dismissed")).rejects.toMatchObject(refused);
    await expect(decide(site, author(), profile, { ...decision, decision: "dismiss" })).rejects.toMatchObject(refused);
    await expect(decide(site, author(), appealed, { ...decision, decision: "grant" })).rejects.toMatchObject(refused);
    expect(await heldBy("moor")).toBe(action);
    await decide(site, world.ruth, appealed, { ...decision, decision: "grant" });
    expect(await heldBy("moor")).toBeNull();
  });
});

test("the audit log offers no undo of a decision about its reader", async () => {
  await holdPostOf(adam);
  const own = async (viewer: Member) =>
    (await listAudit(world.site, viewer, { limit: 1, action: "post.held" })).entries[0]?.moderationAction?.isOwnCase;
  expect([await own(adam), await own(world.ruth)]).toEqual([true, false]);
});

test("staff may undo what they did to their own story", async () => {
  await addPost(world, mona, { id: "moor" });
  await holdPost(world.site, mona, "moor", why);
  await setPostStatus(world.site, mona, "moor", "active");
  expect(await heldBy("moor")).toBeNull();
});

test("the only administrator may decide about themselves", async () => {
  const { site, ruth, tobias } = world;
  await addPost(world, ruth, { id: "moor" });
  await holdPost(site, mona, "moor", why);
  await report(site, tobias, { kind: "profile", subjectId: ruth.id, reason: "spam", note: "" });
  const [{ id = "" } = {}] = (await listReports(site, ruth, { status: "pending", limit: 1 })).reports;
  await expect(setPostStatus(site, ruth, "moor", "active")).rejects.toMatchObject(refused);
  await site.db.deleteFrom("administrators").where("userId", "=", adam.id).execute();
  await setPostStatus(site, ruth, "moor", "active");
  expect(await heldBy("moor")).toBeNull();
  expect((await findReport(site, ruth, id)).isOwnCase).toBe(false);
  await settleQueuedReport(site, ruth, id, "dismissed");
});
