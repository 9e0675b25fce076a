import { capitalize } from "#domain/format.ts";
import { readInBatches } from "#platform/database/batches.ts";
import type { Member, Site } from "../site.ts";
import { type Entry, iso, jsonList, type ListItem, plainMarkdown, rowsPerBatch } from "./entry.ts";

type ReadList = (site: Site, userId: string) => AsyncGenerator<ListItem>;

const lists: Record<string, ReadList> = {
  likes: (site, userId) => reactions(site, "likes", userId),
  bookmarks: (site, userId) => reactions(site, "bookmarks", userId),
  following: followed,
  blocked,
};

export const listNames: readonly string[] = Object.keys(lists);

export async function* listEntries(site: Site, viewer: Member): AsyncGenerator<Entry> {
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

function followed({ db, url }: Site, userId: string): AsyncGenerator<ListItem> {
  return members(url, (last) =>
    db
      .selectFrom("follows as f")
      .innerJoin("users as u", "u.id", "f.followedId")
      .leftJoin("profiles as p", "p.userId", "f.followedId")
      .select((eb) => ["f.followedId as id", "f.createdAt as at", eb.fn.coalesce("p.userName", "u.name").as("name")])
      .where("f.followerId", "=", userId)
      .where("f.followedId", ">", last)
      .orderBy("f.followedId")
      .limit(rowsPerBatch)
      .execute(),
  );
}

function blocked({ db, url }: Site, userId: string): AsyncGenerator<ListItem> {
  return members(url, (last) =>
    db
      .selectFrom("blocks as b")
      .innerJoin("users as u", "u.id", "b.blockedId")
      .leftJoin("profiles as p", "p.userId", "b.blockedId")
      .select((eb) => ["b.blockedId as id", "b.createdAt as at", eb.fn.coalesce("p.userName", "u.name").as("name")])
      .where("b.userId", "=", userId)
      .where("b.blockedId", ">", last)
      .orderBy("b.blockedId")
      .limit(rowsPerBatch)
      .execute(),
  );
}

type OtherMember = { id: string; name: string; at: number };

async function* members(siteUrl: string, read: (last: string) => Promise<OtherMember[]>): AsyncGenerator<ListItem> {
  for await (const { id, name, at } of readInBatches("", read, (row) => row.id)) {
    const url = `${siteUrl}/profile/${id}`;
    yield { title: name, url, date: iso(at), row: { member: id, name, url, since: iso(at) } };
  }
}
