import type { Hono } from "hono";
import { expect } from "vitest";
import { sessionCookieName } from "#domain/accounts/auth.server.ts";
import { loadDocument, mayHear } from "#domain/documents/announce.server.ts";
import { setFollow } from "#domain/follows/follows.server.ts";
import { allowedTopics } from "#domain/live.server.ts";
import { postMessage } from "#domain/messages/messages.server.ts";
import { PostInput } from "#domain/posts/post-input.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { setBookmark } from "#domain/reactions/reactions.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import type { Member, Viewer } from "#domain/site.ts";
import { identify, sessionToken } from "#server/session.ts";
import { sessionValue } from "#server/v1/sessions.ts";
import type { Web } from "#server/web.ts";
import { picture } from "./pictures.ts";
import { formPost, openWeb } from "./web.ts";
import { addMember, openWorld, signIn, type World } from "./world.ts";

/** Whose the thing is that is asked for: Maren's, one's own, or nobody's. */
export type Owner = "maren" | "self" | "nobody";
export type Answer = boolean | Response;
/** One way to do what a row of the table is about. */
export type Case = { by: string; owner: Owner; ask(who: string): Promise<Answer> };

export const roles = ["visitor", "unconfirmed", "member", "owner", "moderator", "administrator", "suspended"];

export let world: World;
export let extra: Member;
let web: Hono<Web>;
let moses: Member;
let sue: Member;
let count = 0;
const cookies: Record<string, string> = {};
const keys: Record<string, Record<string, string>> = {};
export const ids: Record<string, string> = {};

export async function openMatrix(): Promise<void> {
  world = await openWorld();
  web = openWeb(world);
  const { site, maren, ruth } = world;
  moses = await addMember(world, "Moses Moderator", { staff: "moderator" });
  sue = await addMember(world, "Sue Suspended");
  extra = await addMember(world, "Extra Member");
  await site.db.insertInto("moderation_actions").values(actOn(sue)).execute();
  await site.db
    .insertInto("suspensions")
    .values({ userId: sue.id, actionId: "suspending", until: site.now() + 1e9 })
    .execute();
  const people = { unconfirmed: world.salma, member: world.tobias, owner: maren, moderator: moses, administrator: ruth, suspended: sue };
  for (const [role, person] of Object.entries(people)) {
    const { cookie } = await signIn(world, person, { verified: true });
    const token = sessionToken(cookie, sessionCookieName(site.url), site.secret) ?? "";
    cookies[role] = cookie;
    keys[role] = { "x-appwrite-session": sessionValue(site, person.id, token) };
  }
  ids.pub = await story();
  ids.draft = await story("inactive");
  ids.message = await message();
  await report(site, extra, { kind: "message", subjectId: ids.message, reason: "spam", note: "" });
  await report(site, maren, { kind: "profile", subjectId: sue.id, reason: "spam", note: "" });
  const reports = await site.db.selectFrom("reports").select(["id", "kind"]).execute();
  for (const { id, kind } of reports) ids[`${kind} report`] = id;
  await setBookmark(site, maren, ids.pub, true);
  await setFollow(site, maren, { userId: extra.id, following: true });
  ids.bookmark = (await site.db.selectFrom("bookmarks").select("id").executeTakeFirstOrThrow()).id;
  ids.follow = (await site.db.selectFrom("follows").select("id").executeTakeFirstOrThrow()).id;
  ids.file = "marens-file-1";
  const kept = await upload("owner", ids.file);
  expect(kept.status).toBe(201);
}

function actOn({ id, name }: Member) {
  const none = { batchId: null, undoneAt: null, seenAt: null, ruleId: null };
  const act = { id: "suspending", kind: "suspend" as const, subject: `user:${id}`, title: name, memberId: id, before: "{}" };
  return { ...act, ...none, reason: "", moderatorId: null, moderatorName: "Ruth", createdAt: 1, endsAt: null } as never;
}

export async function story(status: "active" | "inactive" = "active"): Promise<string> {
  const slug = `story-${++count}`;
  const input = await PostInput.parseAsync({ title: `Story ${count}`, slug, content: "A lamp.", status });
  return createPost(world.site, world.maren, input, await picture("lamp.jpg", 120, 63));
}

export async function message(): Promise<string> {
  return (await postMessage(world.site, world.maren, { to: extra.id, text: "Hello", sendId: `send-${++count}` })).id;
}

function cookieOf(who: string): Record<string, string> {
  return cookies[who] ? { cookie: cookies[who] } : {};
}

export const page = (path: () => string) => async (who: string) => web.request(path(), { headers: cookieOf(who) });
export const form = (path: () => string, fields: () => Record<string, string>) => async (who: string) =>
  web.request(path(), formPost(fields(), cookieOf(who)));

export async function api(who: string, method: string, path: string, body?: object): Promise<Response> {
  const headers = { "x-appwrite-project": "inkstead", ...keys[who], ...(body && { "content-type": "application/json" }) };
  return web.request(`/v1/databases/main/collections/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

export async function upload(who: string, id: string, publicly = false): Promise<Response> {
  const body = new FormData();
  body.set("fileId", id);
  body.set("file", new File(["abc"], "a.pdf", { type: "application/pdf" }));
  if (publicly) body.set("permissions[0]", 'read("any")');
  const headers = { "x-appwrite-project": "inkstead", ...keys[who] };
  return web.request("/v1/storage/buckets/files/files", { method: "POST", headers, body });
}

export async function viewerOf(who: string): Promise<Viewer> {
  return (await identify(world.site, cookies[who] ?? null)).viewer;
}

/** A topic of /live. */
export const topic = (name: () => string) => async (who: string) =>
  (await allowedTopics(world.site, await viewerOf(who), [name()])).length > 0;
/** What a realtime channel brings. */
export const channel = (list: "posts" | "messages" | "reports", id: () => string) => async (who: string) => {
  const document = await loadDocument(world.site, list, id());
  return document !== undefined && mayHear(await viewerOf(who), list, document);
};
/** A verb behind several endpoints, by somebody who came by a real session. */
export const verb = (run: (viewer: Viewer) => Promise<unknown>) => async (who: string) => {
  const viewer = await viewerOf(who);
  return run(viewer).then(
    () => true,
    (error: { code?: string }) => {
      expect(["not-allowed", "sign-in-first", "not-found"]).toContain(error.code);
      return false;
    },
  );
};

/** Told no: an error that says so, or led away to sign in or home. */
export function isRefused(answer: Answer): boolean {
  if (typeof answer === "boolean") return !answer;
  const location = answer.headers.get("location") ?? "";
  expect(answer.status).not.toBe(429);
  expect(location).not.toContain("/admin/verify");
  return [401, 403, 404, 503].includes(answer.status) || location === "/" || location.startsWith("/login") || /^\/post\//.test(location);
}

/** Something new of its kind, where each case takes one of its own. */
export function nextNumber(): number {
  return ++count;
}

/** A picture that belongs to a file of Maren's. */
export async function downloadFile(who: string): Promise<Response> {
  return web.request(`/v1/storage/buckets/files/files/${ids.file}`, { headers: { "x-appwrite-project": "inkstead", ...keys[who] } });
}
