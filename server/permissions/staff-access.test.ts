import type { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sessionCookieName } from "#domain/accounts/sign-in/auth.server.ts";
import { loadDocumentsUnchecked, mayReceive } from "#domain/documents/live-documents.server.ts";
import { sendAttachment } from "#domain/messages/attachments.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { createPost, PostInput } from "#domain/posts/posts.server.ts";
import { transaction } from "#domain/site.ts";
import type { Web } from "#server/http.ts";
import { sessionToken } from "#server/session/session.ts";
import { sessionValue } from "#server/v1/caller.ts";
import { picture } from "../../tests/support/pictures.ts";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

const secret = "the key is under the third pot";
const draftText = "nobody has read this yet";

let world: World;
let web: Hono<Web>;
let cookie: string;
let forApi: Record<string, string>;
let ids: { message: string; file: string; draft: string };

beforeAll(async () => {
  world = await openWorld();
  const { site, maren, tobias, ruth } = world;
  web = openWeb(world);
  const { id: message } = await sendMessage(site, maren, { to: tobias.id, text: secret, sendId: "1" });
  await sendAttachment(site, maren, { to: tobias.id, sendId: "2", upload: await picture() });
  const file = await site.db.selectFrom("files").select("id").executeTakeFirstOrThrow();
  const input = await PostInput.parseAsync({ title: "Unready", slug: "unready", content: draftText, status: "inactive" });
  const draft = (await createPost(site, maren, input, await picture())).id;
  cookie = (await signIn(world, ruth, { reauthenticated: true })).cookie;
  const token = sessionToken(cookie, sessionCookieName(site.url), site.secret) ?? "";
  forApi = { "x-appwrite-project": "inkstead", "x-appwrite-session": sessionValue(site, ruth.id, token) };
  ids = { message, file: file.id, draft };
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.site.db.deleteFrom("audit_log").execute();
});

const headersOf = () => ({ cookie, ...forApi, origin: "http://inkstead.test" });
const get = async (path: string) => (await web.request(path, { headers: headersOf() })).text();
const list = (collection: string, ...queries: object[]) => {
  const parameters = queries.map((query, index) => `queries[${index}]=${encodeURIComponent(JSON.stringify(query))}`);
  return get(`/v1/databases/main/collections/${collection}/documents?${parameters.join("&")}`);
};

async function recorded() {
  const rows = await world.site.db.selectFrom("audit_log").selectAll().orderBy("number").execute();
  return rows.map(({ action, subject, after }) => [action, subject, after && JSON.parse(after)]);
}

describe("an administrator's access to private messages", () => {
  test("is impossible in the API, which has only one's own messages", async () => {
    expect(JSON.parse(await list("messages"))).toEqual({ total: 0, documents: [] });
    expect(await list("messages", { method: "search", attribute: "message", values: ["pot"] })).not.toContain(secret);
    expect(await get(`/v1/databases/main/collections/messages/documents/${ids.message}`)).not.toContain(secret);
    expect(await get(`/v1/tablesdb/main/tables/messages/rows/${ids.message}`)).not.toContain(secret);
    expect(JSON.parse(await list("messages", { method: "equal", attribute: "senderId", values: [world.maren.id] })).total).toBe(0);
  });

  test("is recorded: reporting a message, which quotes its beginning", async () => {
    const data = { kind: "message", subjectId: ids.message, reason: "spam" };
    const body = JSON.stringify({ documentId: "unique()", data });
    const headers = { ...headersOf(), "content-type": "application/json" };
    const made = await web.request("/v1/databases/main/collections/reports/documents", { method: "POST", body, headers });
    expect(await made.text()).toContain(secret);
    expect(await recorded()).toEqual([["message.viewed", `message:${ids.message}`, null]]);
  });

  test("is recorded: the list with excerpts, once per page", async () => {
    expect(await get("/admin/messages")).toContain(secret);
    await get("/admin/messages.data");
    expect(await recorded()).toEqual([["messages.listed", "messages", { sort: "newest", page: 1 }]]);
  });

  test("is recorded: a search, with its words and the members concerned", async () => {
    expect(await get(`/admin/messages?q=third+pot&user=${world.maren.id}`)).toContain(secret);
    await get("/admin/messages?q=nothing");
    expect(await recorded()).toEqual([
      ["messages.searched", "messages", { search: "third pot", userId: world.maren.id, sort: "newest", page: 1 }],
      ["messages.searched", "messages", { search: "nothing", sort: "newest", page: 1 }],
    ]);
  });

  test("is recorded: one message", async () => {
    expect(await get(`/admin/messages/${ids.message}`)).toContain(secret);
    expect(await recorded()).toEqual([["message.viewed", `message:${ids.message}`, null]]);
  });

  test.each([
    "/files/{file}",
    "/files/{file}?download",
    "/files/{file}/640.webp",
    "/v1/storage/buckets/files/files/{file}/view",
    "/v1/storage/buckets/files/files/{file}/download",
    "/v1/storage/buckets/files/files/{file}/preview",
  ])("is recorded: an attachment, by %s", async (path) => {
    const answer = await web.request(path.replace("{file}", ids.file), { headers: headersOf() });
    expect(answer.status).toBe(200);
    expect(await recorded()).toEqual([["file.opened", `file:${ids.file}`, { message: expect.any(String) }]]);
  });

  test.each([
    "/post/{draft}",
    "/post/{draft}.data",
    "/edit-post/{draft}",
    "/v1/databases/main/collections/posts/documents/{draft}",
    "/v1/tablesdb/main/tables/posts/rows/{draft}",
  ])("is recorded: a draft, by %s", async (path) => {
    expect(await get(path.replace("{draft}", ids.draft))).toContain(draftText);
    expect(await recorded()).toEqual([["draft.viewed", `post:${ids.draft}`, null]]);
  });

  test("is recorded: a list with or about drafts' texts; not one of published or own stories", async () => {
    expect(await list("posts")).toContain(draftText);
    await list("posts", { method: "select", values: ["title"] });
    await list("posts", { method: "equal", attribute: "status", values: ["active"] });
    await list("posts", { method: "equal", attribute: "userId", values: [world.ruth.id] });
    await list("posts", { method: "select", values: ["title"] }, { method: "search", attribute: "content", values: ["nobody"] });
    expect((await recorded()).map(([action]) => action)).toEqual(["drafts.listed", "drafts.listed"]);
  });

  test("is recorded: a list of files in the API", async () => {
    expect(await get("/v1/storage/buckets/files/files?queries[0]=%7B%22method%22:%22limit%22,%22values%22:[5]%7D")).toContain("files");
    expect(await recorded()).toEqual([["files.listed", "files", { query: "[]", limit: 5, offset: 0 }]]);
  });

  test("does not come through a socket", async () => {
    const { site, ruth, maren } = world;
    await transaction(site, async (tx) => tx.changed("post.changed", { id: ids.draft }));
    const [draft] = await loadDocumentsUnchecked(site, "posts", [ids.draft]);
    expect(draft && mayReceive(ruth, "posts", draft)).toBe(false);
    expect(draft && mayReceive(maren, "posts", draft)).toBe(true);
  });

  test("through the API is limited to deleting a message, and recorded", async () => {
    const { site, maren, tobias } = world;
    const { id } = await sendMessage(site, maren, { to: tobias.id, text: "To go", sendId: "3" });
    const headers = headersOf();
    const gone = await web.request(`/v1/databases/main/collections/messages/documents/${id}`, { method: "DELETE", headers });
    expect(gone.status).toBe(204);
    expect((await recorded()).map(([action]) => action)).toEqual(["message.deleted"]);
  });
});
