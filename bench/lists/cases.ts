import { sql } from "kysely";
import { postSorts } from "#domain/search/post-sorts.ts";
import type { Site } from "#domain/site.ts";
import { writeCursor } from "#platform/database/keyset.ts";
import { readerId } from "./seed.ts";

/** A measured page; `path` depends on the site for pages in the middle of a list. */
export type Case = { name: string; path: (site: Site) => Promise<string>; visitor?: boolean; admin?: boolean };

const page = (name: string, path: string, visitor = false): Case => ({ name, path: async () => path, visitor });

const adminPages: [string, string][] = [
  ["dashboard", "/admin?days=30"],
  ["stories", "/admin/posts"],
  ["stories by likes", "/admin/posts?sort=likes"],
  ["search for stories", "/admin/posts?q=the"],
  ["members", "/admin/users"],
  ["members by name", "/admin/users?sort=name"],
  ["search for members", "/admin/users?q=member-1"],
  ["search for members, one letter, a page of them on both sites", "/admin/users?q=a"],
  ["search for members, two letters, a page on the large one only", "/admin/users?q=ma"],
  ["messages", "/admin/messages"],
  ["analytics, 90 days", "/admin/analytics?days=90"],
  ["reports", "/admin/reports"],
  ["rules", "/admin/reports/rules"],
  ["a story", "/admin/posts/bench-story-500"],
  ["a member", "/admin/users/bench-member-7"],
  ["database", "/admin/database"],
  ["settings", "/admin/settings"],
  ["audit log", "/admin/audit"],
];

/** Page 10,000, or the middle of a smaller site. */
const deep = 120_000;

const keys = {
  newest: sql`select "publishedAt" as key, number from posts where status = 'active' order by "publishedAt" desc, number desc`,
  oldest: sql`select "publishedAt" as key, number from posts where status = 'active' order by "publishedAt", number`,
  trending: sql`select score as key, number from rankings order by score desc, number desc`,
  views: sql`select views as key, number from rankings order by views desc, number desc`,
  likes: sql`select likes as key, number from rankings order by likes desc, number desc`,
  title: sql`select "searchTitle" as key, number from posts where status = 'active' order by "searchTitle", number`,
  author: sql`select "searchAuthor" as key, number from posts where status = 'active' order by "searchAuthor", number`,
};

function deepPage(sort: keyof typeof keys): Case {
  const path = async ({ db }: Site) => {
    const { rows: counted } = await sql<{ count: number }>`select count(*) as count from rankings`.execute(db);
    const offset = Math.min(deep, Math.floor((counted[0]?.count ?? 0) / 2));
    const { rows } = await sql<{ key: string | number; number: number }>`${keys[sort]} limit 1 offset ${sql.lit(offset)}`.execute(db);
    const { key = 0, number = 0 } = rows[0] ?? {};
    return `/all-posts?sort=${sort}&after=${encodeURIComponent(writeCursor([key, number]))}`;
  };
  return { name: `All stories, ${sort}, page 10,000`, path };
}

const searches: [string, string][] = [
  ["a word in nearly every story", "the"],
  ["two of those", "the and"],
  ["a word in every seventh", "because"],
  ["a word in few", "lighthouse"],
  ["two words, a page of stories on both sites", "asked because"],
  ["two words, a page on the large one only", "night train"],
  ["a common and a rare one", "the lighthouse"],
  ["the beginning of many words", "con"],
  ["the beginning of a common word", "throug"],
  ["an author", "maren"],
  ["a word in no story", "zzyzx qqxxyy"],
  ["a typo", "lighthuose"],
  ["a typo in an author's name", "linqvist"],
];

/** Suggestions of the header's search after each key. */
const typed: [string, string][] = [
  ["three letters of many words", "con"],
  ["a word in nearly every story", "the"],
  ["a word in few", "lighthouse"],
  ["a common and a rare one", "the lighthouse"],
  ["an author", "maren"],
  ["a typo", "lighthuose"],
];

function apiSearch([what, text]: [string, string]): Case {
  const queries = [
    { method: "search", attribute: "content", values: [text] },
    { method: "limit", values: [12] },
  ];
  const queryString = queries.map((query) => `queries[]=${encodeURIComponent(JSON.stringify(query))}`).join("&");
  return page(`API, search: ${what}`, `/v1/databases/main/collections/posts/documents?project=inkstead&total=false&${queryString}`, true);
}

/** One rule of every kind, on its own page with its dry run. */
const rulePage: Case = {
  name: "Admin, a rule",
  admin: true,
  path: async ({ db }) => {
    const conditions = JSON.stringify([
      { kind: "links", more: 1 },
      { kind: "stories", fewer: 3 },
      { kind: "word", word: "lamp" },
    ]);
    const rule = { id: "bench-rule", conditions, outcome: "report", message: "", enabled: false, createdAt: 0, updatedAt: 0 } as const;
    await db
      .insertInto("rules")
      .values(rule)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    return "/admin/reports/rules/bench-rule";
  },
};

export const cases: Case[] = [
  rulePage,
  page("Landing, visitor", "/", true),
  page("Landing, latest", "/?tab=latest", true),
  page("Landing, search", "/?tab=latest&q=the", true),
  page("Home", "/"),
  page("Home, trending", "/?tab=trending"),
  page("Home, search", "/?q=the"),
  ...postSorts.map((sort) => page(`All stories, ${sort}`, `/all-posts?sort=${sort}`)),
  ...postSorts.map(deepPage),
  ...searches.map(([what, text]) => page(`Search: ${what}`, `/all-posts?q=${encodeURIComponent(text)}`)),
  ...postSorts.map((sort) => page(`Search for "the", ${sort}`, `/all-posts?q=the&sort=${sort}`)),
  ...typed.map(([what, text]) => page(`While typing: ${what}`, `/search/suggestions?q=${encodeURIComponent(text)}`)),
  ...searches.slice(0, 7).map(apiSearch),
  apiSearch(["a phrase", '"in the"']),
  page("A member's profile", `/profile/${readerId}`),
  page("A member's own stories", "/profile?tab=posts"),
  page("A member's own stories, search", "/profile?tab=posts&find=the"),
  page("A member's drafts, two against a full page", "/profile?tab=drafts"),
  page("A member's bookmarks", "/profile?tab=bookmarks"),
  page("Featured writers", "/featured-writers"),
  page("A story", "/post/bench-story-500"),
  page("Feed", "/feed.xml", true),
  ...adminPages.map(([name, path]): Case => ({ ...page(`Admin, ${name}`, path), admin: true })),
];
