/** Invalid requests: wrong types, deep and large values, broken texts and forms. The seed makes them repeatable. */
export type MadeRequest = { method: string; path: string; headers: Record<string, string>; body?: Uint8Array };

type Random = () => number;

/** Mulberry32. */
function random(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const chunkSize = 5 * 1024 * 1024;
const collections = ["posts", "profiles", "likes", "bookmarks", "reports", "messages", "conversations", "follows", "nothing"];
const oddIds = [
  "a",
  "unique()",
  "",
  "..",
  "%2e%2e",
  "%00",
  "%ff%fe",
  "_a",
  "x".repeat(37),
  "x".repeat(5000),
  "a%20b",
  "'--",
  "current",
  "😀",
  "%F0%9F",
  "__proto__",
];
const oddTexts = [
  "",
  "a",
  "\0",
  "\ud800",
  "😀".repeat(50),
  "x".repeat(70_000),
  "'; drop table posts; --",
  "%",
  "\\",
  "<script>",
  "__proto__",
  "constructor",
  "null",
  "1e400",
];
const oddNumbers = [0, -0, -1, 1, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_VALUE, 99999999999999];
const methods = [
  "equal",
  "notEqual",
  "lessThan",
  "greaterThanEqual",
  "between",
  "notBetween",
  "startsWith",
  "endsWith",
  "contains",
  "notContains",
  "search",
  "notSearch",
  "isNull",
  "isNotNull",
  "select",
  "orderAsc",
  "orderDesc",
  "limit",
  "offset",
  "cursorAfter",
  "cursorBefore",
  "and",
  "or",
  "createdAfter",
  "regex",
  "toString",
  "__proto__",
];
const attributes = [
  "title",
  "content",
  "status",
  "views",
  "userId",
  "featured",
  "$id",
  "$sequence",
  "$createdAt",
  "$updatedAt",
  "postId",
  "bio",
  "message",
  "nothing",
  "",
  "posts.title",
  "constructor",
];

export class RequestMaker {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = random(seed);
  }

  next(sessions: string[]): MadeRequest {
    const kind = this.#of(["read", "read", "write", "account", "file", "upload", "noise"] as const);
    const session = this.#one(3) === 0 ? {} : { "x-appwrite-session": this.#of([...sessions, "garbage", "a".repeat(900)]) };
    const base = {
      "x-appwrite-project": this.#one(50) === 0 ? "other" : "inkstead",
      "x-appwrite-response-format": this.#of(["1.7.0", "2.0.0", "x"]),
      ...session,
    };
    switch (kind) {
      case "read":
        return {
          method: "GET",
          path: `${this.#documents()}${this.#one(3) === 0 ? `/${this.#id()}` : ""}?${this.#queries()}`,
          headers: base,
        };
      case "write":
        return this.#json(
          this.#of(["POST", "PUT", "PATCH", "DELETE"]),
          `${this.#documents()}${this.#of(["", `/${this.#id()}`, `/${this.#id()}/views/increment`, `/${this.#id()}/${this.#id()}/decrement`])}`,
          base,
        );
      case "account":
        return this.#json(
          this.#of(["POST", "PUT", "PATCH", "DELETE", "GET"]),
          `/account${this.#of(["", "/sessions", "/sessions/email", `/sessions/${this.#id()}`, "/name", "/prefs", "/jwts", "/recovery", "/verification", "/nothing"])}`,
          base,
        );
      case "file":
        return {
          method: this.#of(["GET", "GET", "DELETE", "PUT"]),
          path: `/storage/buckets/${this.#of(["files", "files", "x"])}/files/${this.#id()}${this.#of(["", "/view", "/download", "/preview"])}?${this.#previews()}`,
          headers: { ...base, range: this.#of(["bytes=0-1", "bytes=9-", "bytes=-1", "x", "bytes=0-99999999999999999999"]) },
        };
      case "upload":
        return this.#upload(base);
      default:
        return { method: this.#of(["GET", "POST", "TRACE1", "OPTIONS", "HEAD"]), path: `/${this.#id()}/${this.#id()}`, headers: base };
    }
  }

  #json(method: string, path: string, headers: Record<string, string>): MadeRequest {
    if (method === "GET") return { method, path, headers };
    const value = this.#of([
      () => this.#value(0),
      () => ({ documentId: this.#value(3), data: this.#value(0), permissions: this.#value(1) }),
      () => ({
        documentId: this.#id(),
        data: {
          title: this.#value(3),
          postId: this.#of(["a", this.#text()]),
          userId: this.#value(3),
          views: this.#value(3),
          content: this.#text(),
        },
      }),
      () => ({
        email: this.#text(),
        password: this.#text(),
        name: this.#value(2),
        userId: this.#id(),
        prefs: this.#value(0),
        url: this.#text(),
        secret: this.#text(),
      }),
    ])();
    const text = JSON.stringify(value) ?? "";
    const broken = this.#one(6) === 0 ? text.slice(0, Math.floor(this.#random() * text.length)) : text;
    const bytes = Buffer.from(this.#one(20) === 0 ? `${broken}\xff\xfe` : broken, this.#one(20) === 0 ? "latin1" : "utf8");
    return {
      method,
      path,
      headers: { ...headers, "content-type": this.#of(["application/json", "application/json", "text/plain", ""]) },
      body: bytes,
    };
  }

  #upload(headers: Record<string, string>): MadeRequest {
    const boundary = "----b";
    const [start, length] = this.#chunk();
    const ending = this.#of(["a.jpg", "a.jpg", "../a.jpg", "a.exe", "", "x".repeat(500)]);
    const parts = [
      `--${boundary}\r\nContent-Disposition: form-data; name="fileId"\r\n\r\n${this.#id()}\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${ending}"\r\n\r\n${"x".repeat(length)}\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="permissions[]"\r\n\r\n${this.#of(['read("any")', "x", "\0"])}\r\n`,
      `--${boundary}--\r\n`,
    ];
    const body = Buffer.from(parts.filter(() => this.#one(8) !== 0).join(""));
    const range =
      this.#one(2) === 0
        ? {
            "content-range": this.#of([
              `bytes ${start}-${start + length - 1}/${chunkSize + 2}`,
              "bytes 0-4/5",
              "bytes 0-5242879/99999999999999",
              "bytes 9-1/2",
              "x",
              "bytes 0-0/0",
            ]),
          }
        : {};
    const id = this.#one(4) === 0 ? { "x-appwrite-id": this.#of(["unique()", "", "a", "_"]) } : {};
    const type = this.#of([
      `multipart/form-data; boundary=${boundary}`,
      "multipart/form-data",
      `multipart/form-data; boundary=${"b".repeat(300)}`,
    ]);
    return { method: "POST", path: "/storage/buckets/files/files", headers: { ...headers, ...range, ...id, "content-type": type }, body };
  }

  /** Start and length of a part of a file of two parts: mostly the second one, sent before the first. */
  #chunk(): [start: number, length: number] {
    if (this.#one(300) === 0) return [0, chunkSize];
    return this.#one(2) === 0 ? [chunkSize, 2] : [0, Math.floor(this.#random() * 300)];
  }

  #documents(): string {
    const collection = this.#of(collections);
    return this.#one(4) === 0
      ? `/tablesdb/main/tables/${collection}/rows`
      : `/databases/${this.#one(20) === 0 ? "x" : "main"}/collections/${collection}/documents`;
  }

  #queries(): string {
    const texts = Array.from({ length: this.#one(4) }, () => (this.#one(12) === 0 ? this.#text() : JSON.stringify(this.#query(0))));
    return texts.map((text, index) => `queries%5B${index}%5D=${encodeURIComponent(text.toWellFormed()).slice(0, 12_000)}`).join("&");
  }

  #query(depth: number): unknown {
    const method = this.#of(methods);
    const isNested = (method === "and" || method === "or") && depth < 14;
    const count = this.#of([0, 1, 1, 2, 3, 200]);
    const values = isNested
      ? Array.from({ length: this.#one(4) }, () => this.#query(depth + 1))
      : Array.from({ length: count }, () => this.#value(2));
    return { method, attribute: this.#of(attributes), values: this.#one(15) === 0 ? this.#value(1) : values };
  }

  #previews(): string {
    return ["width", "height", "gravity", "quality", "opacity", "rotation", "output", "background"]
      .filter(() => this.#one(3) === 0)
      .map((name) => `${name}=${encodeURIComponent(String(this.#of([...oddNumbers, 50, "red", "", "NaN", "0x10"])))}`)
      .join("&");
  }

  #value(depth: number): unknown {
    const simple = [() => this.#text(), () => this.#of(oddNumbers), () => this.#one(2) === 0, () => null];
    const deep = [
      () => Array.from({ length: this.#one(4) }, () => this.#value(depth + 1)),
      () => Object.fromEntries(Array.from({ length: this.#one(4) }, () => [this.#text().slice(0, 20), this.#value(depth + 1)])),
    ];
    return this.#of(depth > 3 ? simple : [...simple, ...deep])();
  }

  #text(): string {
    return this.#of(oddTexts);
  }
  #id(): string {
    return this.#one(4) === 0 ? `i${this.#one(40)}` : this.#of(oddIds);
  }
  #of<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }
  #one(of: number): number {
    return Math.floor(this.#random() * of);
  }
}
