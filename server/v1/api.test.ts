import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import type { Member } from "#domain/site.ts";
import { createWeb } from "#server/web.ts";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import { sessionValue } from "./caller.ts";

let world: World;
let web: ReturnType<typeof createWeb>;
beforeEach(async () => {
  world = await openWorld();
  web = createWeb({ site: world.site, build: () => Promise.reject(new Error("no pages here")), dev: true, limitFactor: 1_000 });
  world.site.settings.publicStoryListing = true;
});
afterEach(() => world.close());

const documents = "/v1/databases/main/collections/posts/documents";
const ask = (path: string, headers: Record<string, string> = {}) =>
  web.request(path, { headers: { "x-appwrite-project": "inkstead", ...headers } });
const publish = (slug: string, author: Member, status: "active" | "inactive" = "active") =>
  picture("a.jpg", 60, 30).then((image) =>
    createPost(world.site, author, { title: slug, slug, content: "A long sentence. ".repeat(200), status }, image),
  );
const idsOf = (answer: { documents: { $id: string }[] }) => answer.documents.map(({ $id }) => $id);

async function sessionOf(member: Member): Promise<Record<string, string>> {
  const { token } = await signIn(world, member).then(() =>
    world.site.db.selectFrom("sessions").select("token").where("userId", "=", member.id).executeTakeFirstOrThrow(),
  );
  return { "x-appwrite-session": sessionValue(world.site, member.id, token) };
}

test("a response is the same in every encoding, made and cached", async () => {
  await publish("one", world.maren);
  const plain = await (await ask(documents)).text();
  expect(JSON.parse(plain)).toMatchObject({ total: 1 });
  for (const [encoding, decode] of [
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)
    for (const path of [documents, documents, `${documents}/one`]) {
      const answer = await ask(path, { "accept-encoding": encoding });
      expect([answer.status, answer.headers.get("content-encoding"), answer.headers.get("vary")]).toEqual([
        200,
        encoding,
        "origin, accept-encoding",
      ]);
      const body = decode(Buffer.from(await answer.arrayBuffer())).toString();
      expect(body).toBe(path === documents ? plain : await (await ask(path)).text());
    }
});

test("cached responses go to viewers who may read all of them, and end with the next commit", async () => {
  const { maren, tobias } = world;
  await publish("one", maren);
  await publish("draft", maren, "inactive");
  const [own, other] = [await sessionOf(maren), await sessionOf(tobias)];
  const list = async (headers = {}) => idsOf(await (await ask(documents, headers)).json()).sort();
  const read = async (headers = {}) => (await ask(`${documents}/draft`, headers)).status;
  for (let round = 0; round < 2; round++) {
    expect([await list(own), await list(other), await list()]).toEqual([["draft", "one"], ["one"], ["one"]]);
    expect([await list(), await list(other), await list(own)]).toEqual([["one"], ["one"], ["draft", "one"]]);
    expect([await read(own), await read(), await read(other)]).toEqual([200, 404, 404]);
  }
  await deletePost(world.site, maren, "one");
  expect([await list(own), await list(other), await list()]).toEqual([["draft"], [], []]);
});

test("the format and the name of the collection are part of the cached request", async () => {
  await publish("one", world.maren);
  const first = async (path: string, format: string) => {
    const { documents, rows } = await (await ask(path, { "x-appwrite-response-format": format })).json();
    return (documents ?? rows)[0];
  };
  for (let round = 0; round < 2; round++) {
    expect(typeof (await first(documents, "1.7.0")).$sequence).toBe("number");
    expect(typeof (await first(documents, "1.9.0")).$sequence).toBe("string");
    expect(await first("/v1/tablesdb/main/tables/posts/rows", "1.7.0")).toMatchObject({ $tableId: "posts" });
  }
});

test("every response has the common headers", async () => {
  for (const path of [documents, `${documents}/none`, "/v1/none", "/v1/ping", "/v1/openapi.json"]) {
    const { headers } = await ask(path);
    expect([path, headers.get("x-content-type-options"), headers.get("cross-origin-resource-policy")]).toEqual([
      path,
      "nosniff",
      "cross-origin",
    ]);
    expect([path, headers.get("vary")]).toEqual([path, "origin"]);
    expect(headers.get("x-request-id")).toMatch(/^[\da-f]{8}-[\da-f]{4}$/);
  }
  expect((await ask(documents)).headers.get("cache-control")).toBe("private, no-store");
});

test("a body with very many fields is refused before it is checked", async () => {
  const headers = { ...(await sessionOf(world.maren)), "x-appwrite-project": "inkstead", "content-type": "application/json" };
  const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
  const body = JSON.stringify({ documentId: "unique()", data });
  const answer = await web.request(documents, { method: "POST", headers, body });
  expect([answer.status, (await answer.json()).message]).toEqual([
    400,
    "The request's body must be a JSON object with at most 5000 values.",
  ]);
});

test("a new document needs an id", async () => {
  const headers = { ...(await sessionOf(world.maren)), "x-appwrite-project": "inkstead", "content-type": "application/json" };
  for (const body of ['{"data":{"title":"A"}}', '{"documentId":null,"data":{"title":"A"}}']) {
    const answer = await web.request(documents, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ type: "document_missing_data", message: "Document ID is required when creating a single document" }),
    ]);
  }
});

test.each([
  ["/v1/databases/other/collections/posts/documents", "database_not_found"],
  ["/v1/databases/main/collections/none/documents/x", "collection_not_found"],
  ["/v1/tablesdb/main/tables/none/rows", "table_not_found"],
  ["/v1/storage/buckets/none/files", "storage_bucket_not_found"],
  ["/v1/storage/buckets/files/files/a/b/c", "general_route_not_found"],
  ["/v1/none", "general_route_not_found"],
])("%s is %s", async (path, type) => {
  const answer = await ask(path);
  expect([answer.status, (await answer.json()).type]).toEqual([404, type]);
});

test("all routes fit into one regular expression, so that none are tried one by one", async () => {
  await ask("/v1/ping");
  expect(web.router.name).toBe("SmartRouter + RegExpRouter");
});
