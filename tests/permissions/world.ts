import { expect } from "vitest";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import { setFollow } from "#domain/follows/follows.server.ts";
import type { LiveRequest, LiveResponse } from "#domain/live.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import type { Action } from "#domain/permissions.ts";
import { createPost, PostInput } from "#domain/posts/posts.server.ts";
import { setBookmark } from "#domain/reactions/reactions.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import type { Member, Viewer } from "#domain/site.ts";
import { findAndRenewSession, sessionToken } from "#server/session/session.ts";
import { sessionValue } from "#server/v1/caller.ts";
import { picture } from "../support/pictures.ts";
import { addMember, openWorld, signIn, type World } from "../support/world.ts";
import { bodyOf, type Fields, openSiteServer, openTab, receivesLive, receivesRealtime, type SiteServer } from "./site-server.ts";

/** Owner of the object: Maren, the requester, or none. */
export type Owner = "maren" | "self" | "nobody";
export type Outcome = boolean | Response;
/** A row of the table, or an endpoint without one: for its owner only, or refused to all. */
export type Row = Action | "only its owner" | "nobody";
/** One way to use a permission of the table. */
export type Case = {
  by: string;
  owner: Owner;
  ask(who: string): Promise<Outcome>;
  /** People who see less here than the table allows; the case gives the reason. */
  except?: string[];
};

export const roles = ["visitor", "unconfirmed", "member", "owner", "moderator", "administrator", "suspended"];

export let world: World;
export let extra: Member;
let markerMember: Member;
export let siteServer: SiteServer;
let moses: Member;
let sue: Member;
let count = 0;
const people: Record<string, Member> = {};
const cookies: Record<string, string> = {};
const keys: Record<string, Record<string, string>> = {};
/** Requested endpoints, as `POST /login`, by person. */
export const requested = new Map<string, Set<string>>();
export const ids: Record<string, string> = {};

export async function openMatrix(): Promise<void> {
  world = await openWorld();
  siteServer = await openSiteServer(world);
  const { site, maren, ruth } = world;
  moses = await addMember(world, "Moses Moderator", { staff: "moderator" });
  sue = await addMember(world, "Sue Suspended");
  extra = await addMember(world, "Extra Member");
  // "extra" and "markerMember" are not in the matrix: the first receives messages, the other causes public events.
  markerMember = await addMember(world, "Fay Fence");
  const everybody = {
    extra,
    markerMember,
    unconfirmed: world.salma,
    member: world.tobias,
    owner: maren,
    moderator: moses,
    administrator: ruth,
    suspended: sue,
  };
  for (const [role, person] of Object.entries(everybody)) {
    people[role] = person;
    await openSession(role);
  }
  await uploadPictures();
  await site.db.insertInto("moderation_actions").values(moderateAs(sue)).execute();
  await site.db
    .insertInto("suspensions")
    .values({ userId: sue.id, actionId: "suspending", until: site.now() + 1e9 })
    .execute();
  ids.pub = await createTestPost();
  ids.draft = await createTestPost("inactive");
  ids.message = await message();
  await report(site, extra, { kind: "message", subjectId: ids.message, reason: "spam", note: "" });
  await report(site, maren, { kind: "profile", subjectId: sue.id, reason: "spam", note: "" });
  const reports = await site.db.selectFrom("reports").select(["id", "kind"]).execute();
  for (const { id, kind } of reports) ids[`${kind} report`] = id;
  const { id: heldPost, heldBy } = await holdPost();
  Object.assign(ids, { heldPost, heldBy });
  await setBookmark(site, maren, ids.pub, true);
  await setFollow(site, maren, { userId: extra.id, following: true });
  ids.bookmark = (await site.db.selectFrom("bookmarks").select("id").executeTakeFirstOrThrow()).id;
  ids.follow = (await site.db.selectFrom("follows").select("id").executeTakeFirstOrThrow()).id;
  ids.file = "marens-file-1";
  const kept = await upload("owner", ids.file);
  expect(kept.status).toBe(201);
}

/** Signs a person in for their later requests; does nothing for a visitor. */
export async function openSession(who: string): Promise<void> {
  const [person, { site }] = [people[who], world];
  if (!person) return;
  const { cookie } = await signIn(world, person, { reauthenticated: true });
  const token = sessionToken(cookie, sessionCookieName(site.url), site.secret) ?? "";
  cookies[who] = cookie;
  keys[who] = { "x-appwrite-session": sessionValue(site, person.id, token) };
}

export let pictureFile: File;

async function uploadPictures(): Promise<void> {
  const { name, bytes } = await picture();
  pictureFile = new File([new Uint8Array(bytes)], name, { type: "image/jpeg" });
  for (const who of roles.filter((each) => each !== "visitor")) await succeed(upload(who, pictureOf(who), false, pictureFile));
}

/** Uploads a new picture; people who may not upload get an earlier one. */
export async function pictureFor(who: string): Promise<string> {
  if (who === "visitor" || who === "suspended") return pictureOf(who);
  const id = freshId("picture");
  await succeed(upload(who, id, false, pictureFile));
  return id;
}

function moderateAs({ id, name }: Member) {
  const none = { batchId: null, undoneAt: null, seenAt: null, ruleId: null };
  const act = { id: "suspending", kind: "suspend" as const, subject: `user:${id}`, title: name, memberId: id, before: "{}" };
  return { ...act, ...none, reason: "", moderatorId: null, moderatorName: "Ruth", createdAt: 1, endsAt: null } as never;
}

export async function createTestPost(status: "active" | "inactive" = "active"): Promise<string> {
  const slug = `story-${++count}`;
  const input = await PostInput.parseAsync({ title: `Story ${count}`, slug, content: "A lamp.", status });
  return (await createPost(world.site, world.maren, input, await picture())).id;
}

export async function message(): Promise<string> {
  return (await sendMessage(world.site, world.maren, { to: extra.id, text: "Hello", sendId: `send-${++count}` })).id;
}

export async function closeMatrix(): Promise<void> {
  await siteServer.close();
  await world.close();
}

function cookieOf(who: string): Record<string, string> {
  return cookies[who] ? { cookie: cookies[who] } : {};
}

function note(who: string, asked: string): void {
  requested.set(asked, (requested.get(asked) ?? new Set()).add(who));
}

function send(who: string, path: string, init: RequestInit): Promise<Response> {
  note(who, `${init.method ?? "GET"} ${path.split("?")[0]}`);
  return fetch(`${siteServer.origin}${path}`, { redirect: "manual", ...init });
}

/** A function if the value is known only once the world is open. */
export type Lazy<Value> = Value | (() => Value);

function resolve<Value extends string | Fields>(value: Lazy<Value>): Value {
  return typeof value === "function" ? value() : value;
}

export const page = (path: Lazy<string>) => async (who: string) => send(who, resolve(path), { headers: cookieOf(who) });
export const form = (path: Lazy<string>, fields: Lazy<Fields>) => async (who: string) => post(who, resolve(path), bodyOf(resolve(fields)));

function post(who: string, path: string, body: BodyInit): Promise<Response> {
  return send(who, path, { method: "POST", body, headers: { origin: world.site.url, ...cookieOf(who) } });
}

export async function api(who: string, method: string, path: string, body?: object): Promise<Response> {
  const headers = { "x-appwrite-project": "inkstead", ...keys[who], ...(body && { "content-type": "application/json" }) };
  return send(who, `/v1/databases/main/collections/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

const document = new File(["%PDF-1.7\n%%EOF\n"], "a.pdf", { type: "application/pdf" });

export async function upload(who: string, id: string, publicly = false, file = document): Promise<Response> {
  const body = new FormData();
  body.set("fileId", id);
  body.set("file", file);
  if (publicly) body.set("permissions[0]", 'read("any")');
  const headers = { "x-appwrite-project": "inkstead", ...keys[who] };
  return send(who, "/v1/storage/buckets/files/files", { method: "POST", headers, body });
}

/** A request to the API about no document. */
export async function call(who: string, method: string, path: string, body?: object): Promise<Response> {
  const headers = { "x-appwrite-project": "inkstead", ...keys[who], ...(body && { "content-type": "application/json" }) };
  return send(who, `/v1/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

/** Causes a public event on both sockets by renaming a member. @returns the new name. */
async function publishMarker(): Promise<string> {
  const userName = `Fay Number ${++count}`;
  // Members may change their name ten times an hour.
  await world.site.db.deleteFrom("attempts").where("kind", "=", "rename").execute();
  await succeed(api("markerMember", "PATCH", `profiles/documents/${markerMember.id}`, { data: { userName } }));
  return userName;
}

/** Runs an action of another person for a case. */
export async function succeed(asked: Promise<Response>): Promise<Response> {
  const response = await asked;
  if (response.status >= 400) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return response;
}

export async function viewerOf(who: string): Promise<Viewer> {
  return (await findAndRenewSession(world.site, cookies[who] ?? null)).viewer;
}

/** A `/live` topic and an action on it; without the action, only the subscription is tested. */
export const live = (topic: Lazy<string>, act?: () => Promise<unknown>) => async (who: string) => {
  const headers = cookieOf(who);
  note(who, "WS /live");
  return receivesLive({ origin: siteServer.origin, headers, site: world.site }, resolve(topic), act, publishMarker);
};

/** A frame sent on `/live`, and whether it had an effect. */
export const sendLive = (request: () => LiveRequest) => async (who: string) => {
  const tab = await openTab<LiveResponse>(`${siteServer.origin}/live`, { origin: world.site.url, ...cookieOf(who) });
  tab.say(request());
  await expect.poll(() => tab.frames.length).toBeGreaterThan(0);
  tab.close();
  return tab.frames.some((frame) => "sent" in frame);
};

/** Events of the API's socket about the object whose id `act` returns. */
export const realtime = (act?: () => Promise<string>) => async (who: string) => {
  note(who, "WS /v1/realtime");
  return receivesRealtime({ origin: siteServer.origin, headers: keys[who] ?? {} }, act, publishMarker);
};

/** Refused: an error with that meaning, or a redirect to sign in or home. Anything else must have worked. */
export function isRefused(outcome: Outcome): boolean {
  if (typeof outcome === "boolean") return !outcome;
  const location = outcome.headers.get("location") ?? "";
  expect(location).not.toContain("/admin/verify");
  if ([401, 403, 404, 503].includes(outcome.status)) return true;
  expect(outcome.status).toBeLessThan(400);
  return location === "/" || location.startsWith("/login");
}

/** The input is invalid on purpose: only members with the permission get a validation error. */
export const passesPermissions = (ask: (who: string) => Promise<Response>) => async (who: string) => {
  const response = await ask(who);
  expect(response.status).toBeLessThan(500);
  if (response.status === 401) return (await response.text()).includes("user_invalid_credentials");
  return ![403, 404].includes(response.status) && !response.headers.get("location")?.startsWith("/login");
};

/** A page that redirects people without the permission. */
export const unlessRedirectedTo = (away: string, path: Lazy<string>) => async (who: string) => {
  const response = await page(path)(who);
  return response.headers.get("location")?.startsWith(away) ? false : response;
};

/** A new object for each case. */
export function freshId(kind: string): string {
  return `${kind}-${++count}`;
}

export async function newcomer(): Promise<Member> {
  return addMember(world, freshId("Newcomer"));
}

/** Holds a story of Maren's. @returns the decision's id. */
export async function holdPost(): Promise<{ id: string; heldBy: string }> {
  const id = await createTestPost();
  const fields = { do: "hold", reason: "why", scripted: "yes" };
  await succeed(
    form(
      () => `/admin/posts/${id}`,
      () => fields,
    )("administrator"),
  );
  const { heldBy } = await world.site.db.selectFrom("posts").select("heldBy").where("id", "=", id).executeTakeFirstOrThrow();
  return { id, heldBy: heldBy ?? "" };
}

/** A story as readers see it; undefined when it is gone. */
export async function statusOfPost(id: string): Promise<string | undefined> {
  const row = await world.site.db.selectFrom("posts").select("status").where("id", "=", id).executeTakeFirst();
  return row?.status;
}

export async function lastReport(): Promise<string> {
  const newest = world.site.db.selectFrom("reports").select("id").orderBy("number", "desc").limit(1);
  return (await newest.executeTakeFirstOrThrow()).id;
}

/** Uploads a picture, where permitted. */
export function pictureOf(who: string): string {
  return `picture-of-${who}`;
}

/** A file of Maren's that is shared with no one. */
export const downloadFile = (who: string) => call(who, "GET", `storage/buckets/files/files/${ids.file}`);
