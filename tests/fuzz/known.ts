import type { Attempt, HttpAttempt, Sender } from "./attempt.ts";
import type { Ids } from "./values.ts";

const form = "application/x-www-form-urlencoded";
const apiHeaders: [string, string][] = [
  ["X-Appwrite-Project", "inkstead"],
  ["Content-Type", "application/json"],
];
const megabyte = 1024 * 1024;

/**
 * Requests that once blocked or ended the process, and variants of them.
 * @param includeSlow includes texts that take long to render, one after the other for each writer
 */
export function knownAttacks(ids: Ids, includeSlow: boolean): Attempt[] {
  const [post = "a"] = ids.posts;
  const [user = "a"] = ids.users;
  return [
    ...shapes(post),
    ...many(),
    ...bodies(),
    ...filters(),
    ...previews(ids),
    ...(includeSlow ? texts() : []),
    ...addresses(),
    ...floods(user),
  ].map((attempt, index) => ({
    ...attempt,
    network: `198.51.100.${index % 250}`,
  }));
}

const forms: [path: string, field: string, sender: Sender][] = [
  ["/login", "email", "visitor"],
  ["/signup", "name", "visitor"],
  ["/forgot-password", "email", "visitor"],
  ["/reset-password", "password", "visitor"],
  ["/login/code", "code", "visitor"],
  ["/subscribe", "email", "visitor"],
  ["/add-post", "title", "member"],
  ["/edit-profile", "bio", "member"],
  ["/account?change=name", "name", "member"],
  ["/report", "reason", "member"],
  ["/admin/settings", "siteName", "administrator"],
];

/** Field names from which parsers build objects and arrays. */
function shapes(post: string): Attempt[] {
  const endings = [
    "[100000000]",
    "[4294967294]",
    "[1000000].a[1000000]",
    "[0]".repeat(2_000),
    ".a".repeat(5_000),
    "[__proto__][a]",
    ".constructor.prototype.a",
  ];
  const edit: typeof forms = [[`/edit-post/${encodeURIComponent(post)}`, "title", "administrator"]];
  return [...forms, ...edit].flatMap(([path, field, sender]) =>
    [...endings.map((ending) => field + ending), "__intent__", "__state__"].flatMap((name) => [
      posted(path, `${encodeURIComponent(name)}=1`, sender),
      posted(`${path.replace("?", ".data?").replace(/^([^?]*[^a?])$/, "$1.data")}`, `${name}=1`, sender),
    ]),
  );
}

/** One name repeated, and many new names. */
function many(): Attempt[] {
  const thousand = (text: (index: number) => string, times: number) => Array.from({ length: times }, (_, index) => text(index)).join("&");
  return forms.flatMap(([path, field, sender]) => [
    posted(
      path,
      thousand(() => "a", 16_000),
      sender,
    ),
    posted(
      path,
      thousand(() => `${field}=`, 8_000),
      sender,
    ),
    posted(
      path,
      thousand((index) => `${field}[${index}]=`, 5_000),
      sender,
    ),
    posted(
      path,
      thousand((index) => `f${index}`, 20_000),
      sender,
    ),
  ]);
}

function bodies(): Attempt[] {
  const big = Buffer.alloc(8 * megabyte, "a");
  const paths = ["/theme", "/subscribe", "/subscribe/confirm", "/login/passkey", "/logout", "/post/none/view", "/messages/none/send"];
  const toPages = paths.flatMap((path) => [
    posted(path, Buffer.concat([Buffer.from("theme="), big]), "visitor"),
    { ...posted(path, Buffer.concat([Buffer.from("theme="), big]), "member"), delivery: "chunked" as const },
    posted(path, multipartOf("theme", big), "visitor", "multipart/form-data; boundary=x"),
  ]);
  const operations = ["/v1/account", "/v1/account/sessions/email", "/v1/account/recovery", "/v1/storage/buckets/files/files"];
  const toApi = operations.flatMap((path) =>
    ["multipart/form-data; boundary=x", "Multipart/Mixed", "application/json", ""].map((type) =>
      api("POST", path, multipartOf("fileId", big), [
        ["X-Appwrite-Project", "inkstead"],
        ["Content-Type", type],
      ]),
    ),
  );
  const nested = ["[", '{"a":'].map((piece) => api("POST", "/v1/account/sessions/email", Buffer.from(piece.repeat(100_000)), apiHeaders));
  return [...toPages, ...toApi, ...nested];
}

function multipartOf(name: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`), value, Buffer.from("\r\n--x--\r\n")]);
}

/** Filters that scan all stories once per value. */
function filters(): Attempt[] {
  const values = (count: number) => Array.from({ length: count }, () => "~");
  const methods = ["notContains", "contains", "notSearch", "search", "notStartsWith", "endsWith", "notEqual"];
  const single = methods.map((method) => [{ method, attribute: "content", values: values(400) }]);
  const four = [Array.from({ length: 4 }, () => ({ method: "notContains", attribute: "content", values: values(400) }))];
  const inOr = [
    [{ method: "or", values: Array.from({ length: 40 }, () => ({ method: "notContains", attribute: "content", values: values(25) })) }],
  ];
  const sorted = [
    [
      { method: "notContains", attribute: "content", values: ["~"] },
      { method: "orderDesc", attribute: "content" },
      { method: "limit", values: [1000] },
    ],
  ];
  const whole = [[{ method: "limit", values: [5000] }]];
  return [...single, ...four, ...inOr, ...sorted, ...whole].flatMap((queries) =>
    ["collections/posts/documents", "tables/posts/rows", "collections/profiles/documents", "collections/likes/documents"].map((place) => {
      const asked = queries.map((query, index) => `queries[${index}]=${encodeURIComponent(JSON.stringify(query))}`).join("&");
      return api("GET", `/v1/databases/main/${place}?${asked}`, undefined, apiHeaders);
    }),
  );
}

/** Pictures at the limits of size and decoding time. */
function previews({ files }: Ids): Attempt[] {
  const asked = [
    "width=4000&height=4000&output=jpg",
    "width=4000&height=4000&output=avif&quality=100",
    "width=3999&output=avif&quality=100&rotation=359&borderRadius=4000",
  ];
  return files
    .slice(0, 3)
    .flatMap((id) => [
      ...asked.map((query) =>
        api("GET", `/v1/storage/buckets/files/files/${id}/preview?${query}`, undefined, [["X-Appwrite-Project", "inkstead"]]),
      ),
      { ...http("GET", `/files/${id}/4000.avif`, undefined, "visitor"), delivery: "abandoned" as const },
    ]);
}

/** Texts that are slow to parse as Markdown. */
function texts(): Attempt[] {
  const hard = [
    "*a_ ".repeat(5_000),
    "[".repeat(20_000),
    "> ".repeat(8_000),
    "<a ".repeat(8_000),
    "![](".repeat(5_000),
    "*a_ ".repeat(12_000),
  ];
  return hard.flatMap((text) => [
    posted("/add-post/preview", `content=${encodeURIComponent(text)}`, "member"),
    posted("/add-post/preview", `content=${encodeURIComponent(text)}`, "unconfirmed"),
    posted("/drafts/save", `content=${encodeURIComponent(text)}&title=a`, "member"),
  ]);
}

/** Ids that must be encoded in the header of a redirect. */
function addresses(): Attempt[] {
  const ids = ["%EF%BB%BF", "%E6%97%A5", "%F0%9F%8E%89", "%0d%0aSet-Cookie:%20a=b", "%00", "%2e%2e%2f", "%25"];
  const posts = ["/post/ID/react", "/post/ID/delete", "/post/ID/publish", "/edit-post/ID", "/edit-post/ID/history"];
  const others = ["/profile/ID/follow", "/messages/ID", "/drafts/ID/history", "/drafts/ID/discard", "/notices/ID"];
  const staff = ["/admin/users/ID", "/admin/posts/ID", "/admin/messages/ID", "/admin/reports/ID", "/admin/reports/rules/ID"];
  return [...posts, ...others, ...staff].flatMap((path) =>
    ids.map((id) =>
      posted(
        path.replace("ID", id),
        "do=on&wanted=yes&confirmed=yes&reaction=like",
        path.startsWith("/admin") ? "administrator" : "member",
      ),
    ),
  );
}

/** Endless subscriptions on both sockets. */
function floods(user: string): Attempt[] {
  const channels = (from: number) => Array.from({ length: 200 }, (_, index) => `${"c".repeat(20)}${from + index}`);
  const wide = Array.from({ length: 60 }, (_, index) =>
    JSON.stringify({ type: "subscribe", data: [{ subscriptionId: `s${index}`, channels: channels(index * 200) }] }),
  );
  const repeated = JSON.stringify({ type: "subscribe", data: Array.from({ length: 100 }, () => ({ subscriptionId: "q", channels: [] })) });
  const topics = Array.from({ length: 200 }, (_, round) =>
    JSON.stringify({ subscribe: Array.from({ length: 50 }, (_each, index) => `post:no-${round}-${index}`) }),
  );
  const typing = Array.from({ length: 300 }, () => JSON.stringify({ typing: user }));
  const socket = (target: string, frames: string[], sender: Sender): Attempt => ({
    kind: "socket",
    endpoint: `WS ${target.split("?")[0]}`,
    target,
    frames,
    sender,
    network: "",
    headers: [],
  });
  const long = `/v1/realtime?project=inkstead&${channels(0)
    .slice(0, 150)
    .map((each) => `channels[]=${each}`)
    .join("&")}`;
  return (["visitor", "member"] as const).flatMap((sender) => [
    socket("/v1/realtime?project=inkstead", [...wide, ...Array.from({ length: 20 }, () => repeated)], sender),
    socket(
      "/v1/realtime?project=inkstead",
      Array.from({ length: 300 }, () => repeated),
      sender,
    ),
    socket(long, ['{"type":"ping"}'], sender),
    socket("/live", topics, sender),
    socket("/live", typing, sender),
    socket("/live", ["[".repeat(30_000)], sender),
  ]);
}

function posted(target: string, body: string | Buffer, sender: Sender, type = form): HttpAttempt {
  return http("POST", target, Buffer.from(body), sender, [["Content-Type", type]]);
}

function api(method: string, target: string, body: Buffer | undefined, headers: [string, string][]): HttpAttempt {
  return http(method, target, body, "visitor", headers);
}

function http(method: string, target: string, body: Buffer | undefined, sender: Sender, headers: [string, string][] = []): HttpAttempt {
  return {
    kind: "http",
    endpoint: `${method} ${target.split("?")[0]}`,
    method,
    target,
    body,
    sender,
    headers,
    network: "",
    delivery: "whole",
  };
}
