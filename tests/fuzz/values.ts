import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Database } from "#platform/database/open.ts";
import { anyCharacter } from "../support/xss.ts";

/** Existing ids, so that requests get past the look-up. */
export type Ids = { users: string[]; posts: string[]; messages: string[]; files: string[]; others: string[] };

const maxValues = 40;

/** Ids of each kind, and words for steps and kinds in addresses. */
export async function readIds(db: Database): Promise<Ids> {
  const idsOf = async (
    table: "users" | "posts" | "messages" | "files" | "conversations" | "working_copies" | "reports" | "moderation_actions",
  ) => (await db.selectFrom(table).select("id").limit(maxValues).execute()).map(({ id }) => String(id));
  const [users, posts, messages, files, conversations, copies, reports, acts] = await Promise.all([
    ...([idsOf("users"), idsOf("posts"), idsOf("messages"), idsOf("files")] as const),
    ...([idsOf("conversations"), idsOf("working_copies"), idsOf("reports"), idsOf("moderation_actions")] as const),
  ]);
  const words = ["start", "add", "remove", "csv", "json", "privacy", "current", "me"];
  return { users, posts, messages, files, others: [...conversations, ...copies, ...reports, ...acts, ...words] };
}

const naughty = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../node_modules/big-list-of-naughty-strings/blns.json"), "utf8"),
) as string[];

const awkward = [
  "",
  "\0",
  "a\0b",
  "\ud800",
  "../../etc/passwd",
  "%00",
  "%",
  "%%%",
  "__proto__",
  "constructor",
  "-1",
  "0",
  "1e400",
  "9223372036854775808",
  "NaN",
  "2026-13-45T99:99:99.999Z",
  "null",
  "[]",
  "{}",
  "https://evil.example/",
  "//evil.example",
  "javascript:alert(1)",
  "a@b.c",
  "member1@attack.example",
  "ruth@example.com",
  "a lamp in the window",
  "delete",
  "save",
  "publish",
  "true",
  "on",
];

/** Texts that are slow to parse when repeated. */
const repeated = [
  "*a_ ",
  "[",
  "<",
  "![",
  "> ",
  "`",
  "<a",
  "&",
  "(",
  "\\",
  "|-",
  "- ",
  "{",
  '"',
  "a@",
  "~",
  "é",
  "🎉",
  "* * ",
  "[a](",
  "<!--",
];

const textLength = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 2, arbitrary: fc.integer({ min: 2_000, max: 20_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 60_000 }) },
);

export const longText = fc
  .tuple(fc.constantFrom(...repeated), textLength)
  .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length));

/** A value for a field or parameter. */
export function anyValue(ids: Ids): fc.Arbitrary<string> {
  const known = [...ids.users, ...ids.posts, ...ids.messages, ...ids.files, ...ids.others];
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known) },
    { weight: 5, arbitrary: fc.constantFrom(...awkward) },
    { weight: 4, arbitrary: fc.constantFrom(...naughty) },
    { weight: 4, arbitrary: fc.string({ maxLength: 60 }) },
    { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
    { weight: 3, arbitrary: fc.integer().map(String) },
    { weight: 1, arbitrary: fc.double().map(String) },
    { weight: 2, arbitrary: longText },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  );
}

/** Any JSON, also too deep and with names like `__proto__`. */
export function jsonValue(ids: Ids): fc.Arbitrary<unknown> {
  const deep = fc.integer({ min: 10, max: 2_000 }).map((depth) => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
    return value;
  });
  return fc.oneof(
    { weight: 10, arbitrary: anyValue(ids) },
    { weight: 5, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 2, arbitrary: fc.array(anyValue(ids), { maxLength: 30 }) },
    { weight: 1, arbitrary: fc.integer({ min: 100, max: 3_000 }).map((length) => Array.from({ length }, (_, index) => `v${index}`)) },
    { weight: 1, arbitrary: deep },
    {
      weight: 1,
      arbitrary: fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"admin":true}}'), { toString: 1 }, { length: 1e9 }, null, 1e308),
    },
  );
}
