import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addPost } from "../../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { listAudit } from "../audit/audit.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { deletePost } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { findProfile } from "../profiles/profile-reads.server.ts";
import { updateProfile } from "../profiles/profiles.server.ts";
import type { ReportKind } from "../reports/report.ts";
import { findReport, listReports, type Report } from "../reports/report-reads.server.ts";
import { report } from "../reports/reports.server.ts";
import { appeal } from "./appeals.server.ts";
import { decide, settleQueuedReport } from "./decide.server.ts";
import { type Decision, decisionsOn } from "./decision.ts";
import { listAnswers, listModerationActions, listModerationActionsAbout, listNotices } from "./notices.server.ts";
import { curatePost } from "./posts/moderation.server.ts";
import { undoModerationAction } from "./undo.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await addPost(world, world.maren, { id: "moor" });
});
afterEach(() => world.close());

const texts = { reason: "It is copied", answer: "Thank you" };

async function reported(kind: ReportKind, subjectId: string): Promise<string> {
  await report(world.site, world.tobias, { kind, subjectId, reason: "spam", note: "" });
  const [{ id = "" } = {}] = (await listReports(world.site, world.ruth, { status: "pending", limit: 1 })).reports;
  return id;
}
const run = (id: string, decision: Decision) => decide(world.site, world.ruth, id, { ...texts, decision });
const post = () => world.site.db.selectFrom("posts").select(["status", "heldBy"]).where("id", "=", "moor").executeTakeFirst();

describe("on a reported story", () => {
  test("holding keeps the report open; releasing dismisses it and restores the story", async () => {
    const id = await reported("post", "moor");
    await world.site.db.updateTable("posts").set({ status: "inactive" }).where("id", "=", "moor").execute();
    await run(id, "hold");
    const held = await findReport(world.site, world.ruth, id);
    expect(held).toMatchObject({ status: "pending", held: "hold" });
    expect(decisionsOn(held)).toEqual(["release", "release-resolve", "delete", "keep-held"]);
    await run(id, "release");
    expect(await post()).toEqual({ status: "inactive", heldBy: null });
    expect(await findReport(world.site, world.ruth, id)).toMatchObject({ status: "dismissed", answer: "Thank you" });
  });

  test("one that its author took back can be held, and read then", async () => {
    const { site, maren, ruth } = world;
    const mona = await addMember(world, "Mona Moderates", { staff: "moderator" });
    const id = await reported("post", "moor");
    expect((await findReport(site, mona, id)).storyId).toBe("moor");
    world.clock.advance(1000);
    await setPostStatus(site, maren, "moor", "inactive");
    const taken = await findReport(site, mona, id);
    expect([taken.storyId, (await findReport(site, ruth, id)).storyId]).toEqual([null, "moor"]);
    expect(decisionsOn(taken)).toEqual(["hold", "resolve", "dismiss"]);
    await expect(run(id, "delete")).rejects.toMatchObject({ code: "invalid" });
    await run(id, "hold");
    expect(await findReport(site, mona, id)).toMatchObject({ storyId: "moor", held: "hold", isDraft: false });
  });

  test("holding sends the reporter the answer at once", async () => {
    const id = await reported("post", "moor");
    await run(id, "hold");
    expect(await listAnswers(world.site, world.tobias)).toMatchObject([{ status: "pending", answer: texts.answer }]);
    await expect.poll(() => world.emails.filter(({ to }) => to === world.tobias.email)).toHaveLength(1);
    const [email] = world.emails.filter(({ to }) => to === world.tobias.email);
    expect(email?.subject).toContain("An answer to your report of “moor”");
    expect(email?.text).toMatch(/you reported the story “moor” \(Spam or advertising\).*Thank you/s);
  });

  test("a report of a held story can't be closed without a decision", async () => {
    const id = await reported("post", "moor");
    await run(id, "hold");
    for (const status of ["resolved", "dismissed"] as const)
      await expect(settleQueuedReport(world.site, world.ruth, id, status)).rejects.toMatchObject({ code: "conflict" });
    expect(await findReport(world.site, world.ruth, id)).toMatchObject({ status: "pending" });
    await run(id, "keep-held");
    expect(await findReport(world.site, world.ruth, id)).toMatchObject({ status: "resolved", held: "hold" });
    await run(id, "reopen");
    await run(id, "release-resolve");
    expect(await findReport(world.site, world.ruth, id)).toMatchObject({ status: "resolved", held: null });
    expect(await post()).toMatchObject({ status: "active" });
  });

  test.each(["unpublish", "delete"] as const)(
    "%s resolves it, with a reason for the author and an answer for the reporter",
    async (decision) => {
      const id = await reported("post", "moor");
      await run(id, decision);
      expect((await post())?.status).toBe("inactive");
      expect(await listNotices(world.site, world.maren)).toMatchObject([{ kind: decision, reason: texts.reason }]);
      expect(await listAnswers(world.site, world.tobias)).toMatchObject([{ status: "resolved", answer: texts.answer }]);
    },
  );

  test("settled reports can only be reopened, and only matching decisions are accepted", async () => {
    const id = await reported("post", "moor");
    await expect(run(id, "clear")).rejects.toMatchObject({ code: "invalid" });
    await expect(run(id, "grant")).rejects.toMatchObject({ code: "invalid" });
    await run(id, "dismiss");
    await expect(run(id, "delete")).rejects.toMatchObject({ code: "invalid" });
    await run(id, "reopen");
    expect((await findReport(world.site, world.ruth, id)).status).toBe("pending");
  });
});

test("a report of an erased story doesn't decide about another member's story with its address", async () => {
  const { site, maren } = world;
  const id = await reported("post", "moor");
  await deletePost(site, maren, "moor");
  await addPost(world, await addMember(world, "Hana"), { id: "moor" });
  for (const decision of ["hold", "unpublish", "delete"] as const)
    await expect(run(id, decision)).rejects.toMatchObject({ code: "not-found" });
  expect(await post()).toEqual({ status: "active", heldBy: null });
  await run(id, "dismiss");
  expect((await findReport(site, world.ruth, id)).status).toBe("dismissed");
});

test("staff see no decisions about an erased story under another one with its address, nor the reverse in an appeal", async () => {
  const { site, maren, ruth, clock } = world;
  await curatePost(site, ruth, "moor", { featured: true });
  await setPostStatus(site, ruth, "moor", "inactive", texts);
  await undoModerationAction(site, ruth, (await listModerationActions(site, ruth, "post:moor"))[1]?.id ?? "");
  await appeal(site, maren, (await listNotices(site, maren))[0]?.id ?? "", "It was fine.");
  await deletePost(site, maren, "moor");
  const kindsAbout = async () => {
    const [appealReport] = (await listReports(site, ruth, { status: "all", limit: 1 })).reports;
    const lists = [listModerationActions(site, ruth, "post:moor"), listModerationActionsAbout(site, ruth, appealReport as Report)];
    return (await Promise.all(lists)).map((actions) => actions.map(({ kind }) => kind));
  };
  for (const author of [await addMember(world, "Hana"), maren]) {
    clock.advance(1000);
    await addPost(world, author, { id: "moor" });
    await curatePost(site, ruth, "moor", { pinned: true });
    expect(await kindsAbout()).toEqual([["pin"], ["unpublish", "feature"]]);
    await deletePost(site, author, "moor");
  }
});

test("a reported profile is reset", async () => {
  const { site, maren } = world;
  const blank = { location: "", website: "", twitter: "", github: "", linkedIn: "" };
  await updateProfile(site, maren, { userName: maren.name, bio: "Buy lamps", ...blank });
  await run(await reported("profile", maren.id), "clear");
  expect((await findProfile(site, maren.id)).bio).toBe("");
});

test("a reported message is deleted permanently, with the reason in the log", async () => {
  const { site, maren, tobias, ruth } = world;
  const messageId = (await sendMessage(site, maren, { to: tobias.id, text: "Stop writing", sendId: "1" })).id;
  await run(await reported("message", messageId), "delete-message");
  expect(await site.db.selectFrom("messages").selectAll().execute()).toEqual([]);
  const { entries } = await listAudit(site, ruth, { limit: 9, action: "message.deleted" });
  expect(entries).toMatchObject([{ subject: `message:${messageId}`, after: { reason: texts.reason }, moderationAction: null }]);
});

test("deciding requires the permission", async () => {
  const id = await reported("post", "moor");
  await expect(decide(world.site, world.tobias, id, { ...texts, decision: "hold" })).rejects.toMatchObject({ code: "not-allowed" });
});
