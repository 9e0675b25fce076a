import { afterEach, beforeEach, expect, test } from "vitest";
import { setFollow } from "#domain/follows/follows.server.ts";
import { answerAppeal, appeal } from "#domain/moderation/appeals.server.ts";
import { decide } from "#domain/moderation/decide.server.ts";
import { readNotificationSettings } from "#domain/notifications/preferences.server.ts";
import { deletePost, eraseDeleted } from "#domain/posts/posts.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { listReports } from "#domain/reports/report-reads.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import { writeCursor } from "#platform/database/keyset.ts";
import { addPost } from "../../tests/support/posts.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

let world: World;
let web: ReturnType<typeof openWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  await addPost(world, world.maren, { id: "moor", title: "The Moor" });
});
afterEach(() => world.close());

const get = async (path: string, cookie: string) => (await web.request(path, { headers: { cookie } })).text();
const waiting = (page: string) => /(\d+)<span class="sr-only"> unread</.exec(page)?.[1] ?? "0";
const why = { reason: "Whose is it?" };
const newestReport = async () => (await listReports(world.site, world.ruth, { status: "pending", limit: 1 })).reports[0]?.id ?? "";
const actionOn = async (postId: string) => {
  const of = world.site.db.selectFrom("moderation_actions").select("id").where("subject", "=", `post:${postId}`);
  return (await of.orderBy("number", "desc").executeTakeFirstOrThrow()).id;
};

test("the header counts unread decisions and answers", async () => {
  const { cookie } = await signIn(world, world.maren);
  expect(waiting(await get("/", cookie))).toBe("0");
  await holdPost(world.site, world.ruth, "moor", why);
  for (const path of ["/", "/all-posts", "/messages", "/account"]) expect([path, waiting(await get(path, cookie))]).toEqual([path, "1"]);
  const id = await actionOn("moor");
  expect(waiting(await get(`/notices/${id}`, cookie))).toMatch(/[01]/);
  expect(waiting(await get("/", cookie))).toBe("0");
  await appeal(world.site, world.maren, id, "It is mine");
  await answerAppeal(world.site, world.ruth, await newestReport(), { grant: false, answer: "It is not" });
  expect(waiting(await get("/", cookie))).toBe("1");
  expect(await get("/notifications", cookie)).toContain("Your appeal was not granted");
  expect(await get(`/notices/${id}`, cookie)).toContain("It is not");
  expect(waiting(await get("/", cookie))).toBe("0");
});

test("an answer to a report is new until it is marked as read", async () => {
  const { cookie } = await signIn(world, world.tobias);
  await report(world.site, world.tobias, { kind: "post", subjectId: "moor", reason: "spam", note: "" });
  await decide(world.site, world.ruth, await newestReport(), { decision: "hold", ...why, answer: "We are looking" });
  expect(waiting(await get("/", cookie))).toBe("1");
  const page = await get("/notifications", cookie);
  expect(page).toMatch(/We are looking.*New</s);
  const [, id = ""] = /name="id" value="(answer:\w+)"/.exec(page) ?? [];
  expect((await web.request("/notifications", formPost({ id }, { cookie }))).headers.get("location")).toBe("/notifications");
  expect(waiting(await get("/", cookie))).toBe("0");
  expect(await get("/notifications", cookie)).not.toContain("New<");
});

test("marking as read returns to the same page of the list", async () => {
  const { cookie } = await signIn(world, world.maren);
  await setFollow(world.site, world.ruth, { userId: world.maren.id, following: true });
  const after = writeCursor([world.site.now() + 1_000, 9, "z"]);
  const here = `/notifications?show=unread&after=${after}`;
  const page = await get(here, cookie);
  const [, action = ""] = /action="([^"]*)" method="post"><input type="hidden" name="id"/.exec(page) ?? [];
  expect(action.replaceAll("&amp;", "&")).toBe(here);
  const [, id = ""] = /name="id" value="([^"]+)"/.exec(page) ?? [];
  expect((await web.request(here, formPost({ id }, { cookie }))).headers.get("location")).toBe(here);
});

test("an appeal sent after the session has ended keeps what was typed", async () => {
  await holdPost(world.site, world.ruth, "moor", why);
  const answer = await web.request(`/notices/${await actionOn("moor")}.data`, formPost({ text: "It is mine, really" }, {}));
  expect(answer.status).toBe(401);
  const text = await answer.text();
  for (const kept of ["It is mine, really", "Please sign in first"]) expect(text).toContain(kept);
});

test("a permanently deleted story has no link and no appeal", async () => {
  const { cookie } = await signIn(world, world.maren);
  await deletePost(world.site, world.ruth, "moor", why);
  const id = await actionOn("moor");
  expect(await get(`/notices/${id}`, cookie)).toContain("Send appeal");
  await eraseDeleted(world.site, world.ruth, "moor");
  world.clock.advance(1000);
  const page = await get(`/notices/${id}`, cookie);
  expect(page).toContain("This story was permanently deleted.");
  for (const text of ["Send appeal", 'href="/post/moor"', "Save a copy"]) expect(page).not.toContain(text);
  await expect(appeal(world.site, world.maren, id, "Why?")).rejects.toMatchObject({ code: "conflict" });
  const ruth = await signIn(world, world.ruth, { reauthenticated: true });
  expect(await get("/admin/audit", ruth.cookie)).not.toContain(">Undo<");
});

test("/notices redirects members to notifications and visitors to log in", async () => {
  const { cookie } = await signIn(world, world.maren);
  const answer = await web.request("/notices", { headers: { cookie } });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/notifications"]);
  for (const path of ["/notices", "/notifications", "/notifications/settings"])
    expect((await web.request(path)).headers.get("location")).toMatch(/^\/login/);
});

test("without JavaScript: the list, its filters, marking one and all as read", async () => {
  const { cookie } = await signIn(world, world.maren);
  expect(await get("/notifications", cookie)).toContain("No notifications yet");
  await setLike(world.site, world.tobias, "moor", true);
  await setFollow(world.site, world.tobias, { userId: world.maren.id, following: true });
  const page = await get("/notifications", cookie);
  for (const part of ["liked", "The Moor", "started following you", "Mark all as read"]) expect(page).toContain(part);
  expect(await get("/notifications?kind=like", cookie)).not.toContain("started following you");
  const [, id = ""] = /name="id" value="(like:\d+)"/.exec(page) ?? [];
  const one = await web.request("/notifications?show=unread", formPost({ id }, { cookie }));
  expect(one.headers.get("location")).toBe("/notifications?show=unread");
  expect(await get("/notifications?show=unread", cookie)).not.toContain("The Moor");
  const [, until = ""] = /name="until" value="(\d+)"/.exec(page) ?? [];
  await web.request("/notifications", formPost({ do: "all", until }, { cookie }));
  expect(await get("/notifications?show=unread", cookie)).toContain("You’re all caught up");
  expect(await get("/notifications", cookie)).toContain("The Moor");
});

test("the settings are saved without JavaScript, and errors are shown", async () => {
  const { cookie } = await signIn(world, world.maren);
  const save = (fields: Record<string, string>) => web.request("/notifications/settings", formPost(fields, { cookie }));
  const fields = { "email-like": "weekly", "email-follower": "never", "site-follower": "on", timeZone: "Asia/Tokyo" };
  const refused = await save({ ...fields, userId: world.tobias.id });
  expect(refused.status).toBe(403);
  const refusedPage = await refused.text();
  for (const part of ["You’re signed in with another account", `name="userId" value="${world.tobias.id}"`])
    expect(refusedPage).toContain(part);
  const saved = await save({ ...fields, quiet: "on", quietFrom: "23:00", quietTo: "06:30" });
  expect(saved.headers.get("location")).toBe("/notifications/settings");
  const page = await get("/notifications/settings", cookie);
  for (const part of [/<option value="Asia\/Tokyo" selected/, /value="23:00"/, /name="site-follower"[^>]* checked/])
    expect(page).toMatch(part);
  expect(page).not.toMatch(/name="site-like"[^>]* checked/);
  for (const [wrong, error] of [
    [{ timeZone: "Mars/Olympus" }, "Choose a time zone from the list"],
    [{ timeZone: "UTC", quiet: "on", quietFrom: "", quietTo: "06:30" }, "Choose when quiet hours begin and end"],
  ] as const) {
    const answer = await save({ ...wrong });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(error)]);
  }
});

test("a saved time zone stays chosen under a name that the server doesn't list", async () => {
  const { cookie } = await signIn(world, world.maren);
  for (const timeZone of ["Asia/Calcutta", "Asia/Kolkata"]) {
    await web.request("/notifications/settings", formPost({ timeZone }, { cookie }));
    const page = await get("/notifications/settings", cookie);
    expect(page.match(/<option value="([^"]*)" selected/g)).toContain(`<option value="${timeZone}" selected`);
  }
});

test("the link in an email stops these emails by its button or by one-click unsubscribe", async () => {
  await setFollow(world.site, world.tobias, { userId: world.maren.id, following: true });
  const path = /inkstead\.test(\/notifications\/stop\S+)/.exec(world.emails.at(-1)?.text ?? "")?.[1] ?? "";
  const email = async () => (await readNotificationSettings(world.site, world.maren)).preferences.follower.email;
  expect(await (await web.request(path)).text()).toContain("Stop these emails");
  expect(await email()).toBe("at-once");
  const answer = await web.request(path, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  expect([answer.status, await email()]).toEqual([200, "never"]);
});

test("an unsubscribe link with an unknown token says that it doesn't work", async () => {
  for (const path of ["/notifications/stop?about=nothing&token=x", "/notifications/stop?about=like&token=x"]) {
    const opened = await (await web.request(path)).text();
    const answer = await web.request(path, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
    expect(answer.status).toBe(404);
    for (const page of [opened, await answer.text()]) {
      expect(page).toContain("This link doesn’t work");
      expect(page).toContain('href="/notifications/settings"');
      expect(page).not.toContain("have stopped");
    }
  }
});
