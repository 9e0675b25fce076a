import { afterEach, beforeEach, expect, test } from "vitest";
import { appeal } from "#domain/moderation/appeals.server.ts";
import { findPostNotice } from "#domain/moderation/notices.server.ts";
import { resetProfile } from "#domain/moderation/profiles/reset-profile.server.ts";
import { deletePost } from "#domain/posts/posts.server.ts";
import { readForEditing } from "#domain/posts/update-post.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { countReports, listReports } from "#domain/reports/report-reads.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import type { Member } from "#domain/site.ts";
import { addPost } from "../../../tests/support/posts.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../../tests/support/world.ts";

/** The outcomes of reports, held stories and appeals, and their notifications. */
let world: World;
let web: ReturnType<typeof openWeb>;
const cookies = new Map<string, string>();
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  await addPost(world, world.maren, { id: "moor", title: "The Moor" });
  for (const person of [world.maren, world.tobias, world.ruth])
    cookies.set(person.id, (await signIn(world, person, { reauthenticated: true })).cookie);
});
afterEach(() => world.close());

const cookieOf = (member: Member) => cookies.get(member.id) ?? "";
const get = async (member: Member, path: string) => (await web.request(path, { headers: { cookie: cookieOf(member) } })).text();
const post = (member: Member, path: string, fields: Record<string, string>) =>
  web.request(path, formPost(fields, { cookie: cookieOf(member) }));
const toast = (answer: Response) => decodeURIComponent(answer.headers.get("set-cookie") ?? "");
const pending = async () => (await listReports(world.site, world.ruth, { status: "pending", limit: 9 })).reports;
const decide = async (fields: Record<string, string>) => {
  const [{ id = "" } = {}] = await pending();
  expect((await post(world.ruth, `/admin/reports/${id}`, fields)).status).toBe(302);
};
const unread = async (member: Member) => Number(/(\d+)<span class="sr-only"> unread</.exec(await get(member, "/account"))?.[1] ?? 0);
const emailsTo = async (member: Member) => {
  await world.site.background.settled();
  return world.emails.filter(({ to }) => to === member.email);
};
const why = { reason: "Whose is it?" };
const hold = async () => {
  await holdPost(world.site, world.ruth, "moor", why);
  return (await findPostNotice(world.site, "moor"))?.id ?? "";
};

test("releasing a held story notifies its author", async () => {
  await report(world.site, world.tobias, { kind: "post", subjectId: "moor", reason: "spam", note: "" });
  const noticeId = await hold();
  await get(world.maren, `/notices/${noticeId}`);
  expect(await unread(world.maren)).toBe(0);
  await decide({ decision: "release", reason: "", answer: "" });
  expect(await unread(world.maren)).toBe(1);
  expect(await get(world.maren, "/notifications")).toMatch(/Your story is live again.*The Moor.*New</s);
  expect((await emailsTo(world.maren)).map(({ subject }) => subject)).toEqual([
    "Your story is being reviewed (Inkstead)",
    "Your story is live again (Inkstead)",
  ]);
  const page = await get(world.maren, `/notices/${noticeId}`);
  for (const text of ["Your story is live again", "Readers can see it.", "Whose is it?", "Undone"]) expect(page).toContain(text);
});

test.each([
  ["grant", "Your appeal was granted"],
  ["refuse", "Your appeal was not granted"],
])("%s: the answer to an appeal is one notification with the outcome, linked to the decision", async (decision, outcome) => {
  const noticeId = await hold();
  await get(world.maren, `/notices/${noticeId}`);
  await appeal(world.site, world.maren, noticeId, "It is mine");
  await decide({ decision, reason: "", answer: "We looked twice." });
  const [, email, ...more] = await emailsTo(world.maren);
  expect([email?.subject, more]).toEqual([`${outcome} (Inkstead)`, []]);
  expect(email?.text).toMatch(new RegExp(`^Hello Maren Oduya,\\s+${outcome}\\..*We looked twice\\..*/notices/${noticeId}`, "s"));
  expect(await get(world.maren, "/notifications")).toMatch(new RegExp(`${outcome}.*We looked twice\\.`, "s"));
  expect(await unread(world.maren)).toBe(1);
});

test.each([
  ["resolve", /looked into it and taken care of it/],
  ["dismiss", /decided that no action is needed/],
])("%s without a message: the reporter learns the outcome only", async (decision, sentence) => {
  await report(world.site, world.tobias, { kind: "profile", subjectId: world.maren.id, reason: "other", note: "Hm" });
  await decide({ decision, reason: "", answer: "" });
  expect(await unread(world.tobias)).toBe(1);
  expect(await get(world.tobias, "/notifications")).toMatch(sentence);
  const emails = await emailsTo(world.tobias);
  expect(emails).toHaveLength(1);
  expect(emails[0]?.text).toMatch(sentence);
  expect(emails[0]?.text).not.toContain(world.ruth.name);
});

test("the queue's buttons and a reopened report send the same notifications", async () => {
  await report(world.site, world.tobias, { kind: "post", subjectId: "moor", reason: "spam", note: "" });
  const [{ id = "" } = {}] = await pending();
  for (const decision of ["dismissed", "pending", "resolved", "resolved"]) await post(world.ruth, "/admin/reports", { id, do: decision });
  const texts = (await emailsTo(world.tobias)).map(({ text }) => /(no action is needed|taken care of it)/.exec(text)?.[0]);
  expect(texts).toEqual(["no action is needed", "taken care of it"]);
});

test("an appeal's page links to its story or profile", async () => {
  const link = async () =>
    /href="([^"]+)"[^>]*>Open the (story|profile)/.exec(await get(world.ruth, `/admin/reports/${(await pending())[0]?.id}`))?.slice(1);
  await appeal(world.site, world.maren, await hold(), "It is mine");
  expect(await link()).toEqual(["/post/moor", "story"]);
  await resetProfile(world.site, world.ruth, world.tobias.id, why);
  const notice = world.site.db.selectFrom("moderation_actions").select("id").where("memberId", "=", world.tobias.id);
  await appeal(world.site, world.tobias, (await notice.executeTakeFirstOrThrow()).id, "It was fine");
  expect(await link()).toEqual([`/profile/${world.tobias.id}`, "profile"]);
});

const edit = async (member: Member, content: string) => {
  const { title, version } = await readForEditing(world.site, member, "moor");
  return post(member, "/edit-post/moor", { title, slug: "moor", content, status: "inactive", version: String(version) });
};

test("a held story that its author edits is queued once", async () => {
  const noticeId = await hold();
  await appeal(world.site, world.maren, noticeId, "It is mine");
  await decide({ decision: "refuse", reason: "", answer: "No." });
  expect(await pending()).toEqual([]);
  expect(toast(await edit(world.maren, "Milder words"))).toContain("We’ll review your story");
  expect(await pending()).toMatchObject([{ kind: "post", subjectId: "moor", reason: "edited", ownerId: world.maren.id, held: "hold" }]);
  await edit(world.maren, "Still milder words");
  expect(await countReports(world.site, world.ruth)).toMatchObject({ pending: 1 });
  expect(await get(world.ruth, "/admin/reports")).toContain("Edited while held");
  await decide({ decision: "keep-held", reason: "", answer: "" });
  await edit(world.maren, "The mildest words");
  expect(await pending()).toHaveLength(1);
});

test("an administrator's edit or deletion is not queued and shows no toast", async () => {
  await hold();
  expect(toast(await edit(world.ruth, "Milder words"))).toContain("Post updated successfully!");
  await deletePost(world.site, world.ruth, "moor", why);
  expect(toast(await edit(world.maren, "Other words"))).toContain("Post updated successfully!");
  expect(await pending()).toEqual([]);
});
