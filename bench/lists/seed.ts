import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { migrate } from "#platform/database/migrate.ts";
import { isTypoCandidate, searchColumn, storedVariants } from "#platform/database/search/search-words.ts";
import { seededRandom } from "../../scripts/demo/random.ts";
import { nameGenerator, postWriter } from "./writing.ts";

export type Size = { stories: number; members: number; likes: number };

const day = 24 * 60 * 60 * 1000;
const span = 3 * 365 * day;
const rowsPerTransaction = 20_000;
/** The author of the measured stories, and first member. */
export const readerId = "bench-member-0";

/** Fills a data folder with the same SQLite site of a given size each time. It gets its name when it is complete. */
export async function seed(dataDir: string, size: Size): Promise<void> {
  if (existsSync(dataDir)) return;
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  await migrate({ dataDir: unfinished, databaseUrl: undefined, databaseConnections: 1 });
  const db = new DatabaseSync(join(unfinished, "inkstead.db"));
  // Nothing here must survive a power cut, and foreign keys are right by construction.
  db.exec("pragma synchronous = off; pragma cache_size = -1500000; pragma foreign_keys = off");
  db.exec("insert into posts_search(posts_search, rank) values ('hashsize', 200000000)");
  const now = Date.now();
  const names = seedMembers(db, size, now);
  const likes = seedPosts(db, size, now, names);
  seedLikes(db, likes, size, now);
  db.exec("insert into posts_search(posts_search, rank) values ('hashsize', 1048576)");
  db.exec("analyze");
  db.exec("delete from sqlite_stat1 where tbl in (select name from pragma_table_list where type = 'shadow')");
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
  renameSync(unfinished, dataDir);
}

function seedMembers(db: DatabaseSync, { members }: Size, now: number): string[] {
  const [insertUser, insertProfile] = [inserter(db, "users"), inserter(db, "profiles")];
  const nextName = nameGenerator(1);
  const random = seededRandom(2);
  const names: string[] = [];
  inTransactions(db, "members", members, (index) => {
    const [id, name, joined] = [`bench-member-${index}`, nextName(), Math.round(now - random() * span)];
    const date = new Date(joined).toISOString();
    insertUser({ id, name, email: `member-${index}@example.com`, emailVerified: 1, createdAt: date, updatedAt: date });
    const links = { bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
    insertProfile({ userId: id, userName: name, ...links, createdAt: joined, updatedAt: joined });
    names.push(name);
  });
  return names;
}

/** @returns the number of likes of each story. */
function seedPosts(db: DatabaseSync, { stories: posts, members, likes }: Size, now: number, names: string[]): Uint32Array {
  const insert = inserter(db, "posts");
  const write = postWriter(3);
  const random = seededRandom(4);
  const liked = new Uint32Array(posts);
  const mean = likes / posts;
  inTransactions(db, "stories", posts, (index) => {
    const { title, text } = write();
    const author = Math.floor(random() ** 2 * members);
    const name = names[author] as string;
    // A few stories have most likes; the mean is as requested.
    const likesCount = Math.min(Math.floor(members / 2), Math.round(0.32 * mean * random() ** -0.7));
    liked[index] = likesCount;
    const createdAt = Math.round(now - span * (1 - (index + 1) / posts) ** 1.3);
    const status = random() < 0.03 ? "inactive" : "active";
    insert({
      id: `bench-story-${index}`,
      userId: `bench-member-${author}`,
      userName: name,
      title,
      summary: text.slice(0, 400),
      words: text.split(" ").length,
      status,
      featured: index % Math.ceil(posts / 20) === 7 ? 1 : 0,
      pinned: index % Math.ceil(posts / 3) === 11 ? 1 : 0,
      views: Math.floor(20 * random() ** -0.8) - 20,
      likesCount,
      bookmarksCount: 0,
      publishedAt: status === "active" ? createdAt : null,
      createdAt,
      updatedAt: createdAt,
      ...{ content: `<p>${text}</p>`, markdown: text, plainText: text },
      ...{ searchTitle: searchColumn(title), searchAuthor: searchColumn(name), searchText: searchColumn(text) },
    });
  });
  fillWords(db);
  return liked;
}

/** Words for the correction of typos, as publishing stores them. */
function fillWords(db: DatabaseSync): void {
  const words = new Set<string>();
  const columns = db.prepare(`select "searchTitle" || ' ' || "searchAuthor" as words from posts`);
  for (const row of columns.iterate()) for (const word of String(row.words).split(" ")) if (isTypoCandidate(word)) words.add(word);
  const insert = db.prepare("insert into search_words (word, variants) values (?, ?)");
  const sorted = [...words].sort();
  inTransactions(db, "words", sorted.length, (index) => void insert.run(sorted[index] as string, storedVariants(sorted[index] as string)));
}

function seedLikes(db: DatabaseSync, liked: Uint32Array, { members }: Size, now: number): void {
  const like = db.prepare(`insert into likes ("postId", "userId", "createdAt") values (?, ?, ?)`);
  const random = seededRandom(5);
  inTransactions(db, "stories liked", liked.length, (index) => {
    const first = Math.floor(random() * members);
    // A step coprime to round numbers of members: no member likes a story twice.
    for (let count = 0; count < (liked[index] as number); count++) {
      const member = (first + count * 7919) % members;
      like.run(`bench-story-${index}`, `bench-member-${member}`, Math.round(now - random() * 365 * day));
    }
  });
}

/** A function that inserts rows of the same columns. */
function inserter(db: DatabaseSync, table: string): (row: Record<string, SQLInputValue>) => void {
  let statement: StatementSync | undefined;
  return (row) => {
    const names = Object.keys(row);
    statement ??= db.prepare(`insert into ${table} (${names.map((name) => `"${name}"`)}) values (${names.map(() => "?")})`);
    statement.run(...Object.values(row));
  };
}

function inTransactions(db: DatabaseSync, what: string, count: number, work: (index: number) => void): void {
  const startedAt = Date.now();
  for (let index = 0; index < count; index += rowsPerTransaction) {
    db.exec("begin");
    for (let each = index; each < Math.min(count, index + rowsPerTransaction); each++) work(each);
    db.exec("commit");
    const done = Math.min(count, index + rowsPerTransaction);
    process.stdout.write(`\r  ${what}: ${done.toLocaleString("en-US")} of ${count.toLocaleString("en-US")}`);
  }
  process.stdout.write(`, ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
}
