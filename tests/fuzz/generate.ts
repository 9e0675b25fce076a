import fc from "fast-check";
import { collectionNames } from "#domain/changes.ts";
import { filterMethods } from "#domain/documents/document.ts";
import { type Attempt, type Delivery, deliveries, type Sender } from "./attempt.ts";
import { bodyFor } from "./bodies.ts";
import type { Endpoint } from "./endpoints.ts";
import { anyValue, type Ids, jsonValue, longText } from "./values.ts";

const encode = (text: string) => encodeURIComponent(text.toWellFormed());
/** Beyond this, Node refuses the address itself. */
const maxTargetLength = 15_000;

const sender: fc.Arbitrary<Sender> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Sender>("visitor") },
  { weight: 5, arbitrary: fc.constant<Sender>("member") },
  { weight: 1, arbitrary: fc.constant<Sender>("unconfirmed") },
  { weight: 1, arbitrary: fc.constant<Sender>("moderator") },
  { weight: 2, arbitrary: fc.constant<Sender>("administrator") },
);

const delivery: fc.Arbitrary<Delivery> = fc.oneof(
  { weight: 60, arbitrary: fc.constant<Delivery>("whole") },
  { weight: 6, arbitrary: fc.constant<Delivery>("chunked") },
  { weight: 1, arbitrary: fc.constantFrom(...deliveries) },
);

/** Mostly different networks, so that rate limits don't answer everything. */
const network = fc.oneof(
  { weight: 12, arbitrary: fc.ipV4() },
  { weight: 4, arbitrary: fc.ipV6() },
  { weight: 1, arbitrary: fc.constantFrom("203.0.113.7", "not an address", "") },
);

const attributes = ["$id", "$createdAt", "title", "content", "userId", "status", "likesCount", "userName", "tags", "__proto__"];

/** Queries in the format of the API's clients, also nested and with many values. */
function query(ids: Ids): fc.Arbitrary<string> {
  const values = fc.oneof(
    { weight: 8, arbitrary: fc.array(jsonValue(ids), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.integer({ min: 10, max: 600 }).map((length) => Array.from({ length }, (_, index) => `~${index % 10}`)) },
  );
  const filter = fc.record({ method: fc.constantFrom(...filterMethods), attribute: fc.constantFrom(...attributes), values });
  const other = fc.record({
    method: fc.constantFrom("limit", "offset", "select", "orderAsc", "orderDesc", "cursorAfter", "cursorBefore", "constructor"),
    attribute: fc.constantFrom(...attributes),
    values: fc.oneof(fc.array(fc.integer(), { maxLength: 2 }), fc.array(anyValue(ids), { maxLength: 3 })),
  });
  const both = fc.record({ method: fc.constantFrom("and", "or"), values: fc.array(fc.oneof(filter, other), { maxLength: 5 }) });
  const deep = fc.integer({ min: 2, max: 200 }).map((depth) => `${'{"method":"or","values":['.repeat(depth)}1${"]}".repeat(depth)}`);
  const asText = (value: unknown) => JSON.stringify(value);
  return fc.oneof(
    { weight: 8, arbitrary: filter.map(asText) },
    { weight: 5, arbitrary: other.map(asText) },
    { weight: 2, arbitrary: both.map(asText) },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: anyValue(ids) },
  );
}

function search(endpoint: Endpoint, ids: Ids): fc.Arbitrary<string> {
  const known = [...(endpoint.parameters ?? []), ...(endpoint.kind === "page" ? [...endpoint.fields, "q", "_routes", "index"] : [])];
  const name = known.length > 0 ? fc.constantFrom(...known) : fc.string({ maxLength: 20 });
  const plain = fc.array(
    fc.tuple(name, anyValue(ids)).map(([key, value]) => `${encode(key)}=${encode(value)}`),
    { maxLength: 5 },
  );
  if (!endpoint.parameters?.includes("queries[]")) return plain.map((pairs) => pairs.join("&"));
  const queries = fc.array(query(ids), { maxLength: 5 }).map((texts) => texts.map((text, index) => `queries[${index}]=${encode(text)}`));
  return fc.tuple(queries, plain).map((both) => both.flat().join("&"));
}

/** Mostly ids, sometimes other values. */
function path({ path: pattern, kind }: Endpoint, ids: Ids): fc.Arbitrary<string> {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const values = names.map((name) => {
    const matching = matchingValues(name, ids);
    return fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...matching) },
      { weight: 1, arbitrary: anyValue(ids).map((text) => text.slice(0, 300)) },
    );
  });
  const filled = fc.tuple(...values).map((chosen) => {
    let index = 0;
    return pattern.replaceAll(/\{\w+\}/g, () => encode(chosen[index++] ?? "") || "-");
  });
  const asData = fc
    .tuple(filled, fc.integer({ max: 9, min: 0 }))
    .map(([text, chance]) => (chance === 0 ? `${text === "/" ? "/_root" : text}.data` : text));
  return kind === "page" ? asData : filled;
}

function matchingValues(name: string, ids: Ids): string[] {
  const fallback = [...ids.users, ...ids.posts, ...ids.messages, ...ids.files, ...ids.others];
  if (/user|profile/i.test(name)) return ids.users;
  if (/slug|document|row/i.test(name)) return [...ids.posts, ...ids.users, ...ids.messages];
  if (/file/i.test(name) && ids.files.length > 0) return ids.files;
  if (/collection|table/i.test(name)) return [...collectionNames];
  if (/database/i.test(name)) return ["main"];
  if (/bucket/i.test(name)) return ["files"];
  if (/width/i.test(name)) return ["160", "320", "640", "1280", "99999999", "0"];
  if (/page/i.test(name)) return ["1", "0", "99999999999"];
  return fallback;
}

function headers(endpoint: Endpoint, ids: Ids): fc.Arbitrary<[string, string][]> {
  const odd: fc.Arbitrary<[string, string]> = fc.oneof(
    anyValue(ids).map((value): [string, string] => ["Range", `bytes=${value.slice(0, 200)}`]),
    anyValue(ids).map((value): [string, string] => ["Cookie", value.slice(0, 2_000)]),
    anyValue(ids).map((value): [string, string] => ["If-Modified-Since", value.slice(0, 200)]),
    anyValue(ids).map((value): [string, string] => ["If-None-Match", value.slice(0, 200)]),
    anyValue(ids).map((value): [string, string] => ["User-Agent", value.slice(0, 4_000)]),
    anyValue(ids).map((value): [string, string] => ["X-Appwrite-Session", value.slice(0, 2_000)]),
    anyValue(ids).map((value): [string, string] => ["X-Appwrite-JWT", value.slice(0, 2_000)]),
    fc.constantFrom<[string, string]>(
      ["Origin", "https://evil.example"],
      ["Origin", "null"],
      ["Host", "evil.example"],
      ["Content-Encoding", "gzip"],
      ["Content-Range", "bytes 0-5242879/99999999999"],
      ["Expect", "100-continue"],
      ["X-Appwrite-Response-Format", "0.0.0"],
      ["Accept-Encoding", "gzip, br, zstd"],
    ),
    fc.integer({ min: 100, max: 12_000 }).map((length): [string, string] => ["X-Long", "h".repeat(length)]),
  );
  const usual: [string, string][] = endpoint.kind === "api" ? [["X-Appwrite-Project", "inkstead"]] : [];
  const some = fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(odd, { minLength: 1, maxLength: 3 }) });
  return some.map((more) => [...usual, ...more].filter(([name], index, all) => all.findIndex(([other]) => other === name) === index));
}

const asLatin = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, "?");

function httpAttempt(endpoint: Endpoint, ids: Ids): fc.Arbitrary<Attempt> {
  const hasBody = endpoint.method !== "GET";
  const method = fc.oneof(
    { weight: 40, arbitrary: fc.constant(endpoint.method) },
    { weight: 1, arbitrary: fc.constantFrom("PUT", "DELETE", "OPTIONS", "HEAD", "PATCH") },
  );
  return fc
    .record({
      sender,
      network,
      method,
      path: path(endpoint, ids),
      search: search(endpoint, ids),
      headers: headers(endpoint, ids),
      body: hasBody ? bodyFor(endpoint, ids) : fc.constant(undefined),
      delivery,
    })
    .map(({ path: at, search: asked, body, headers: given, ...rest }) => ({
      ...rest,
      kind: "http",
      endpoint: endpoint.name,
      target: (asked ? `${at}?${asked}` : at).slice(0, maxTargetLength),
      headers: [
        ...given.map(([name, value]): [string, string] => [name, asLatin(value)]),
        ...(body ? [["Content-Type", body.type] as [string, string]] : []),
      ],
      body: body?.bytes,
    }));
}

function frame(ids: Ids): fc.Arbitrary<string> {
  const topic = fc.oneof(
    fc.constantFrom("posts", "profiles", "reports", "post:", "user:", "presence:"),
    fc.tuple(fc.constantFrom("post:", "profile:", "user:", "presence:"), anyValue(ids)).map(([kind, id]) => kind + id.slice(0, 290)),
  );
  const channel = fc.oneof(
    fc.constantFrom("documents", "rows", "files", "account", "databases.main.collections.posts.documents"),
    anyValue(ids).map((text) => text.slice(0, 200)),
    fc.integer().map((number) => `databases.main.collections.posts.documents.${number}`),
  );
  const subscriptionId = fc.oneof(
    fc.constantFrom("q", "a", "__proto__"),
    fc.integer({ min: 0, max: 500 }).map((number) => `s${number}`),
  );
  const subscription = fc.record(
    { subscriptionId, channels: fc.array(channel, { maxLength: 40 }), queries: fc.array(query(ids), { maxLength: 2 }) },
    { requiredKeys: ["subscriptionId", "channels"] },
  );
  const subscribe = fc.array(subscription, { minLength: 1, maxLength: 20 });
  const asText = (value: unknown) => JSON.stringify(value) ?? "";
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(topic, { minLength: 1, maxLength: 60 }).map((topics) => asText({ subscribe: topics })) },
    { weight: 1, arbitrary: fc.array(topic, { maxLength: 20 }).map((topics) => asText({ unsubscribe: topics })) },
    { weight: 1, arbitrary: anyValue(ids).map((to) => asText({ typing: to })) },
    {
      weight: 2,
      arbitrary: fc.record({ to: anyValue(ids), text: anyValue(ids), sendId: anyValue(ids) }).map((given) => asText({ send: given })),
    },
    { weight: 5, arbitrary: subscribe.map((data) => asText({ type: "subscribe", data })) },
    { weight: 1, arbitrary: jsonValue(ids).map((data) => asText({ type: "authentication", data })) },
    { weight: 1, arbitrary: jsonValue(ids).map(asText) },
    { weight: 1, arbitrary: fc.constantFrom('{"type":"ping"}', "", "null", '{"type":"unsubscribe","data":[]}') },
    { weight: 1, arbitrary: longText },
  );
}

function socketAttempt(endpoint: Endpoint, ids: Ids): fc.Arbitrary<Attempt> {
  const frames = fc.array(
    fc.oneof(
      { weight: 12, arbitrary: frame(ids) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    ),
    { maxLength: 25 },
  );
  const asked = fc
    .tuple(fc.constantFrom("inkstead", "other"), fc.array(anyValue(ids), { maxLength: 5 }))
    .map(([project, channels]) => `?project=${project}${channels.map((channel) => `&channels[]=${encode(channel)}`).join("")}`);
  return fc
    .record({ sender, network, frames, search: endpoint.path === "/live" ? fc.constant("") : asked })
    .map(({ search: given, ...rest }) => ({
      ...rest,
      kind: "socket",
      endpoint: endpoint.name,
      target: (endpoint.path + given).slice(0, maxTargetLength),
      headers: [],
    }));
}

/** An attempt on a random endpoint; sockets are more frequent. */
export function attempts(endpoints: Endpoint[], ids: Ids): fc.Arbitrary<Attempt> {
  return fc.oneof(
    ...endpoints.map((endpoint) =>
      endpoint.kind === "socket"
        ? { weight: 6, arbitrary: socketAttempt(endpoint, ids) }
        : { weight: 1, arbitrary: httpAttempt(endpoint, ids) },
    ),
  );
}
