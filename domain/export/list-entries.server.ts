import type { AliasableExpression } from "kysely";
import { capitalize } from "#domain/format.ts";
import { readInBatches } from "#platform/database/batches.ts";
import type { Member, Site } from "../site.ts";
import { type ExportFile, iso, jsonList, type ListItem, plainMarkdown, rowsPerBatch } from "./entry.ts";

type ReadList = (site: Site, userId: string) => AsyncGenerator<ListItem>;

const lists: Record<string, ReadList> = {
  likes: (site, userId) => reactions(site, "likes", userId),
  bookmarks: (site, userId) => reactions(site, "bookmarks", userId),
  following: (site, userId) =>
    members(site, site.db.selectFrom("follows").select(["followedId as id", "createdAt as at"]).where("followerId", "=", userId)),
  blocked: (site, userId) =>
    members(site, site.db.selectFrom("blocks").select(["blockedId as id", "createdAt as at"]).where("userId", "=", userId)),
};

export const listNames: readonly string[] = Object.keys(lists);

export async function* listEntries(site: Site, viewer: Member): AsyncGenerator<ExportFile> {
  for (const [name, read] of Object.entries(lists)) {
    yield { name: `${name}.json`, input: jsonList(rowsOf(read(site, viewer.id))) };
    yield { name: `${name}.md`, input: readable(name, read(site, viewer.id)) };
  }
}

async function* rowsOf(kept: AsyncIterable<ListItem>) {
  for await (const { row } of kept) yield row;
}

async function* readable(name: string, kept: AsyncIterable<ListItem>): AsyncGenerator<string> {
  yield `# ${capitalize(name)}\n\n`;
  for await (const { title, url, date } of kept) yield `- ${date.slice(0, 10)} [${plainMarkdown(title)}](${url})\n`;
}

async function* reactions({ db, url: siteUrl }: Site, table: "likes" | "bookmarks", userId: string): AsyncGenerator<ListItem> {
  const read = (last: string) =>
    db
      .selectFrom(table)
      .innerJoin("posts", "posts.id", `${table}.postId`)
      .select(["posts.id", "posts.title", "posts.userName", `${table}.createdAt as at`])
      .where(`${table}.userId`, "=", userId)
      .where(`${table}.postId`, ">", last)
      .where((eb) => eb.or([eb("posts.status", "=", "active"), eb("posts.userId", "=", userId)]))
      .orderBy(`${table}.postId`)
      .limit(rowsPerBatch)
      .execute();
  for await (const { id, title, userName, at } of readInBatches("", read, (row) => row.id)) {
    const url = `${siteUrl}/post/${encodeURIComponent(id)}`;
    yield { title, url, date: iso(at), row: { story: id, title, author: userName, url, at: iso(at) } };
  }
}

/** `ids`: with `at`, the time of following or blocking. */
async function* members({ db, url: siteUrl }: Site, ids: AliasableExpression<{ id: string; at: number }>): AsyncGenerator<ListItem> {
  const read = (last: string) =>
    db
      .selectFrom(ids.as("other"))
      .innerJoin("users as u", "u.id", "other.id")
      .leftJoin("profiles as p", "p.userId", "other.id")
      .select((eb) => ["other.id", "other.at", eb.fn.coalesce("p.userName", "u.name").as("name")])
      .where("other.id", ">", last)
      .orderBy("other.id")
      .limit(rowsPerBatch)
      .execute();
  for await (const { id, name, at } of readInBatches("", read, (row) => row.id)) {
    const url = `${siteUrl}/profile/${id}`;
    yield { title: name, url, date: iso(at), row: { member: id, name, url, since: iso(at) } };
  }
}
