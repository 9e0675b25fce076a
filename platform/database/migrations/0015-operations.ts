import { type ColumnTypes, createTrigger, dropTrigger, type Kysely, type Step, sql } from "./step.ts";

type Engine = "sqlite" | "postgres";

/**
 * What the administrators' figures and lists stand on (bookmarks in the ranking, what is unread, who writes letters, a
 * search for members), and the runs of backups and checks.
 */
export const operations: Step = async (db, types) => {
  await rankBookmarks(db, types.engine);
  await countLetters(db, types.engine);
  await indexMessages(db);
  await searchMembers(db, types);
  await createRuns(db, types);
};

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db);

const published = (row: string) => `(${row}.status = 'active')`;
const score = (row: string) => `(${row}.views + 2 * ${row}."likesCount")`;
/** Views + 5 x likes + 3 x bookmarks. */
const performance = (row: string) => `(${row}.views + 5 * ${row}."likesCount" + 3 * ${row}."bookmarksCount")`;

/** The best stories of any days come out of an index: the best of each day, put together. */
async function rankBookmarks(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .alterTable("rankings")
    .addColumn("performance", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await run(db, `update rankings set performance = (select ${performance("p")} from posts p where p.number = rankings.number)`);
  await db.schema.createIndex("rankings_performance").on("rankings").columns(["day", "performance", "number"]).execute();

  for (const name of ["insert", "move", "grow"]) await dropTrigger(db, engine, `rankings_${name}`, "posts");
  const columns = `(number, "createdAt", day, views, likes, score, performance)`;
  const figures = `new.number, new."createdAt", new."createdAt" / 86400000, new.views, new."likesCount", ${score("new")}, ${performance("new")}`;
  const moved = 'old.status <> new.status or old."createdAt" <> new."createdAt"';
  await createTrigger(db, engine, {
    name: "rankings_insert",
    on: "insert on posts",
    when: published("new"),
    does: `insert into rankings ${columns} select ${figures};`,
  });
  await createTrigger(db, engine, {
    name: "rankings_move",
    on: 'update of status, "createdAt" on posts',
    when: moved,
    does: `delete from rankings where number = old.number; insert into rankings ${columns} select ${figures} where ${published("new")};`,
  });
  await createTrigger(db, engine, {
    name: "rankings_grow",
    on: 'update of views, "likesCount", "bookmarksCount" on posts',
    when: `${published("new")} and not (${moved})`,
    does: `update rankings set views = new.views, likes = new."likesCount", score = ${score("new")}, performance = ${performance("new")}
      where number = new.number;`,
  });
}

/** Letters that wait to be read, and people who have any: kept where both sides of a conversation are. */
async function countLetters(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const slot = engine === "sqlite" ? "0" : "tally_slot()";
  const add = (name: string, amount: string) => `insert into tallies (name, slot, value) values ('${name}', ${slot}, ${amount})
    on conflict (name, slot) do update set value = tallies.value + excluded.value;`;
  await db.schema
    .alterTable("member_tallies")
    .addColumn("chats", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await run(
    db,
    `update member_tallies set chats =
       (select count(*) from participants p where p."userId" = member_tallies."userId" and p."lastNumber" is not null)`,
  );
  await run(db, `insert into tallies select 'correspondents', 0, count(*) from member_tallies where chats > 0`);
  await run(db, `insert into tallies select 'unread', 0, coalesce(sum("unreadCount"), 0) from participants`);

  const filled = (row: string) => `(${row}."lastNumber" is not null)`;
  const oneMore = (
    row: string,
    sign: string,
  ) => `insert into member_tallies ("userId", posts, published, "likesReceived", "messagesSent", chats)
    select ${row}."userId", 0, 0, 0, 0, ${sign} where exists (select 1 from users where id = ${row}."userId")
    on conflict ("userId") do update set chats = member_tallies.chats + excluded.chats;`;
  const on = { insert: "insert on participants", delete: "delete on participants", change: 'update of "lastNumber" on participants' };
  await createTrigger(db, engine, { name: "chats_insert", on: on.insert, when: filled("new"), does: oneMore("new", "1") });
  await createTrigger(db, engine, { name: "chats_delete", on: on.delete, when: filled("old"), does: oneMore("old", "-1") });
  const begins = `${filled("new")} and not ${filled("old")}`;
  const ends = `${filled("old")} and not ${filled("new")}`;
  await createTrigger(db, engine, { name: "chats_begin", on: on.change, when: begins, does: oneMore("new", "1") });
  await createTrigger(db, engine, { name: "chats_end", on: on.change, when: ends, does: oneMore("old", "-1") });

  const [is, was] = ["new.chats > 0", "old.chats > 0"];
  const update = "update of chats on member_tallies";
  await createTrigger(db, engine, { name: "writes_insert", on: "insert on member_tallies", when: is, does: add("correspondents", "1") });
  await createTrigger(db, engine, { name: "writes_delete", on: "delete on member_tallies", when: was, does: add("correspondents", "-1") });
  await createTrigger(db, engine, { name: "writes_begin", on: update, when: `${is} and not (${was})`, does: add("correspondents", "1") });
  await createTrigger(db, engine, { name: "writes_end", on: update, when: `${was} and not (${is})`, does: add("correspondents", "-1") });

  const unread = { insert: 'new."unreadCount"', delete: '-old."unreadCount"', change: 'new."unreadCount" - old."unreadCount"' };
  const counts = { ...on, change: 'update of "unreadCount" on participants' };
  for (const kind of ["insert", "delete", "change"] as const)
    await createTrigger(db, engine, {
      name: `unread_${kind}`,
      on: counts[kind],
      when: `${unread[kind]} <> 0`,
      does: add("unread", unread[kind]),
    });
}

async function indexMessages(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex("messages_newest").on("messages").columns(["createdAt", "id"]).execute();
  await db.schema.createIndex("messages_of_sender").on("messages").columns(["senderId", "createdAt", "id"]).execute();
}

/** Name and address of each member in one text, whose parts can be found. */
async function searchMembers(db: Kysely<unknown>, { engine, text, serial }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("member_texts")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().unique().references("users.id").onDelete("cascade"))
    .addColumn("text", text, (c) => c.notNull())
    .execute();
  // Of one or two letters: names that begin with them.
  await db.schema.createIndex("member_texts_text").on("member_texts").columns(["text", "number", "userId"]).execute();
  const folded = (name: string, email: string) =>
    engine === "sqlite" ? `lower(${name} || ' ' || ${email})` : `lower(unaccent(${name} || ' ' || ${email}))`;
  if (engine === "sqlite") await searchTextsOnSqlite(db);
  else await run(db, "create extension if not exists unaccent");
  if (engine === "postgres") await run(db, "create index member_search on member_texts using gin (text gin_trgm_ops)");
  await run(
    db,
    `insert into member_texts ("userId", text) select u.id, ${folded(`coalesce(p."userName", u.name)`, "u.email")}
     from users u left join profiles p on p."userId" = u.id order by u."createdAt", u.id`,
  );

  const name = `coalesce((select p."userName" from profiles p where p."userId" = new.id), new.name)`;
  const email = `(select u.email from users u where u.id = new."userId")`;
  const rewrite = (id: string, words: string) => `update member_texts set text = ${words} where "userId" = ${id};`;
  await createTrigger(db, engine, {
    name: "member_texts_insert",
    on: "insert on users",
    does: `insert into member_texts ("userId", text) values (new.id, ${folded("new.name", "new.email")});`,
  });
  await createTrigger(db, engine, {
    name: "member_texts_account",
    on: "update of name, email on users",
    when: "old.name <> new.name or old.email <> new.email",
    does: rewrite("new.id", folded(name, "new.email")),
  });
  const renamed = rewrite('new."userId"', folded('new."userName"', email));
  await createTrigger(db, engine, { name: "member_texts_profile", on: "insert on profiles", does: renamed });
  await createTrigger(db, engine, {
    name: "member_texts_rename",
    on: 'update of "userName" on profiles',
    when: 'old."userName" <> new."userName"',
    does: renamed,
  });
}

/** Every three letters in a row; accents count for nothing. */
async function searchTextsOnSqlite(db: Kysely<unknown>): Promise<void> {
  await run(db, `create virtual table member_search using fts5(text, content='', tokenize='trigram remove_diacritics 1')`);
  const add = "insert into member_search(rowid, text) values (new.number, new.text);";
  const remove = "insert into member_search(member_search, rowid, text) values ('delete', old.number, old.text);";
  await createTrigger(db, "sqlite", { name: "member_search_insert", on: "insert on member_texts", does: add });
  await createTrigger(db, "sqlite", { name: "member_search_delete", on: "delete on member_texts", does: remove });
  await createTrigger(db, "sqlite", { name: "member_search_update", on: "update of text on member_texts", does: `${remove} ${add}` });
}

/** Backups and checks of the database, and which process is at work on them. */
async function createRuns(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("upkeep_runs")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("kind", text, (c) => c.notNull())
    // What began it: the schedule, the console, an administrator.
    .addColumn("cause", text, (c) => c.notNull())
    .addColumn("userId", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("phase", text, (c) => c.notNull())
    .addColumn("done", "bigint", (c) => c.notNull())
    .addColumn("total", "bigint", (c) => c.notNull())
    // The machine it ran on, and the archive's name there.
    .addColumn("host", text, (c) => c.notNull())
    .addColumn("archive", text)
    .addColumn("size", "bigint")
    // JSON: what was found.
    .addColumn("report", text)
    .addColumn("startedAt", "bigint", (c) => c.notNull())
    .addColumn("finishedAt", "bigint")
    .execute();
  await db.schema.createIndex("upkeep_runs_newest").on("upkeep_runs").columns(["kind", "startedAt", "id"]).execute();

  await db.schema
    .createTable("jobs")
    .addColumn("name", text, (c) => c.notNull().primaryKey())
    // Whoever holds it until then, in milliseconds, unless they hold it longer.
    .addColumn("holder", text, (c) => c.notNull())
    .addColumn("heldUntil", "bigint", (c) => c.notNull())
    .addColumn("dueAt", "bigint", (c) => c.notNull())
    .execute();
}
