import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { addMember, openWorld, password, signIn, type World } from "../../tests/support/world.ts";
import { deleteAccount } from "../account-deletion/delete-account.server.ts";
import { deleteChat, deleteMessage } from "../messages/deleting.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { sweepDeleted } from "../moderation/sweep-deleted.server.ts";
import type { Member } from "../site.ts";
import { ownCaseText } from "../staff/own-case-text.ts";
import { findReport } from "./report-reads.server.ts";
import { readReportedMessages } from "./reported-messages.server.ts";
import { report as reportSubject, setReportStatus } from "./reports.server.ts";

const day = 24 * 60 * 60 * 1000;
const threat = "I know where you live, and when you sleep";

let world: World;
let moses: Member;
let messages: string[];
beforeEach(async () => {
  world = await openWorld();
  const { site, maren, tobias } = world;
  moses = await addMember(world, "Moses Moderator", { staff: "moderator" });
  messages = [];
  for (let number = 1; number <= 8; number++) {
    const [from, to, text] = number === 7 ? [tobias, maren, threat] : [maren, tobias, `Line ${number} of it`];
    messages.push((await sendMessage(site, from, { to: to.id, text, sendId: `${number}` })).id);
  }
});
afterEach(() => world.close());

/** Maren reports what Tobias wrote. Returns the report's id. */
async function report(): Promise<string> {
  const { cookie } = await signIn(world, world.maren);
  const fields = { kind: "message", subjectId: messages[6] ?? "", reason: "harassment", note: "", scripted: "yes" };
  const path = `/report?kind=message&id=${fields.subjectId}`;
  expect((await openWeb(world).request(path, formPost(fields, { cookie }))).status).toBe(200);
  const row = world.site.db.selectFrom("reports").select("id").orderBy("number", "desc").limit(1);
  return (await row.executeTakeFirstOrThrow()).id;
}

async function shownTo(who: Member, reportId: string): Promise<string> {
  const { cookie } = await signIn(world, who, { reauthenticated: true });
  const post = formPost({ reason: "To see what was said" }, { cookie });
  return (await openWeb(world).request(`/admin/reports/${reportId}/messages`, post)).text();
}

const kept = async () =>
  (await world.site.db.selectFrom("report_evidence").select("number").orderBy("number").execute()).map((row) => row.number);
const decide = (id: string) => setReportStatus(world.site, world.ruth, id, "dismissed");

test(`deleting reported messages hides them from the other person, not from staff, on ${inject("engine")}`, async () => {
  const id = await report();
  await deleteMessage(world.site, world.tobias, messages[6] ?? "");
  await deleteChat(world.site, world.tobias, world.maren.id);
  const page = await shownTo(moses, id);
  expect(page).toContain(threat);
  expect(page).toContain(">Deleted<");
  // Five on either side.
  expect([...page.matchAll(/Line (\d) of it/g)].map(([, number]) => number).filter((each, at, all) => all.indexOf(each) === at)).toEqual(
    expect.arrayContaining(["2", "3", "4", "5", "6", "8"]),
  );
  expect(page).not.toContain("Line 1 of it");
  expect(await kept()).toEqual([2, 3, 4, 5, 6, 7, 8]);
  const { cookie } = await signIn(world, world.maren);
  expect(await (await openWeb(world).request(`/messages/${world.tobias.id}`, { headers: { cookie } })).text()).not.toContain(threat);
});

test("staff see display names, also of those whose messages are deleted", async () => {
  const { site, maren, tobias } = world;
  const id = await report();
  await site.db.updateTable("profiles").set({ userName: "Toby" }).where("userId", "=", tobias.id).execute();
  await site.db.updateTable("profiles").set({ userName: "Em" }).where("userId", "=", maren.id).execute();
  await deleteMessage(site, maren, messages[5] ?? "");
  const shown = await readReportedMessages(site, { ...moses, isReauthenticated: true }, id, "To see who");
  expect(new Set(shown.map(({ senderName, isDeleted }) => `${senderName} ${isDeleted}`))).toEqual(
    new Set(["Em false", "Em true", "Toby false"]),
  );
  expect(await findReport(site, moses, id)).toMatchObject({ ownerName: "Toby", reporterName: "Em" });
});

test("staff can't see messages of a report about them", async () => {
  const { site, maren } = world;
  const { id: subjectId } = await sendMessage(site, moses, { to: maren.id, text: threat, sendId: "9" });
  await reportSubject(site, maren, { kind: "message", subjectId, reason: "harassment", note: "" });
  const { id } = await site.db.selectFrom("reports").select("id").executeTakeFirstOrThrow();
  const shown = readReportedMessages(site, { ...moses, isReauthenticated: true }, id, "To see what they kept");
  await expect(shown).rejects.toMatchObject({ code: "not-allowed", message: ownCaseText });
});

test("messages that still exist aren't shown as deleted", async () => {
  const page = await shownTo(moses, await report());
  expect(page).toContain(threat);
  expect(page).not.toContain(">Deleted<");
});

test("copies are kept for 30 days after the decision, 90 days at most", async () => {
  const id = await report();
  world.clock.advance(10 * day);
  await decide(id);
  world.clock.advance(30 * day - 1);
  await sweepDeleted(world.site);
  expect(await kept()).toHaveLength(7);
  world.clock.advance(1);
  await deleteMessage(world.site, world.tobias, messages[6] ?? "");
  // Also before the sweep.
  expect(await shownTo(moses, id)).not.toContain(threat);
  await sweepDeleted(world.site);
  expect(await kept()).toEqual([]);
});

test("a late decision doesn't extend 90 days, and reopening restores them", async () => {
  const id = await report();
  world.clock.advance(80 * day);
  await decide(id);
  await setReportStatus(world.site, world.ruth, id, "pending");
  world.clock.advance(10 * day - 1);
  await sweepDeleted(world.site);
  expect(await kept()).toHaveLength(7);
  await decide(id);
  world.clock.advance(1);
  await sweepDeleted(world.site);
  expect(await kept()).toEqual([]);
});

test.each(["maren", "tobias"] as const)("copies are deleted with either account: %s", async (who) => {
  await report();
  const { member } = await signIn(world, world[who]);
  await deleteAccount(world.site, member, password);
  expect(await kept()).toEqual([]);
});

test("other reports copy nothing", async () => {
  const { cookie } = await signIn(world, world.maren);
  const fields = { kind: "profile", subjectId: world.tobias.id, reason: "spam", note: "", scripted: "yes" };
  await openWeb(world).request(`/report?kind=profile&id=${fields.subjectId}`, formPost(fields, { cookie }));
  expect(await kept()).toEqual([]);
});
