import { type ColumnTypes, createTrigger, type Kysely, notCopying, type Step, sql } from "./step.ts";

type Engine = "sqlite" | "postgres";

/**
 * Counters of the site, of its days and of its members; orders that lists are read in; and an index for searches that ends
 * after as many stories as are wanted (docs/decisions/0014-tallies-and-lists.md).
 */
export const lists: Step = async (db, { engine, text }) => {
  await createTallies(db, engine, text);
  await createRankings(db, engine);
  await db.schema.createIndex("posts_title").on("posts").columns(["status", "searchTitle", "number"]).execute();
  await db.schema.createIndex("posts_author_name").on("posts").columns(["status", "searchAuthor", "number"]).execute();
  await (engine === "sqlite" ? searchOnSqlite(db) : searchOnPostgres(db));
};

async function createTallies(db: Kysely<unknown>, engine: Engine, text: ColumnTypes["text"]): Promise<void> {
  await db.schema
    .createTable("tallies")
    .addColumn("name", text, (c) => c.notNull())
    // Summed on reading: on PostgreSQL no two transactions write into one slot at a time.
    .addColumn("slot", "integer", (c) => c.notNull())
    .addColumn("value", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("tallies_key", ["name", "slot"])
    .execute();
  await db.schema
    .createTable("daily_tallies")
    .addColumn("name", text, (c) => c.notNull())
    // Since 1970, in UTC.
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("slot", "integer", (c) => c.notNull())
    .addColumn("value", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("daily_tallies_key", ["name", "day", "slot"])
    .execute();
  await db.schema
    .createTable("member_tallies")
    .addColumn("userId", text, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("posts", "integer", (c) => c.notNull())
    .addColumn("published", "integer", (c) => c.notNull())
    .addColumn("likesReceived", "bigint", (c) => c.notNull())
    .addColumn("messagesSent", "integer", (c) => c.notNull())
    .execute();
  if (engine === "postgres") await preparePostgres(db);
  await fill(db, engine);
  await countPosts(db, engine);
  await countMembers(db, engine);
  await (engine === "sqlite" ? countRowsOnSqlite(db) : countRowsOnPostgres(db));
}

const day = (row: string) => `(${row}."createdAt" / 86400000)`;
const signUpDay = {
  sqlite: (row: string) => `(unixepoch(${row}."createdAt") / 86400)`,
  postgres: (row: string) => `(floor(extract(epoch from ${row}."createdAt") / 86400)::integer)`,
};

/** One row is one of these, on the day of its `createdAt`. */
const rowTallies = [
  { table: "users", name: "members", day: signUpDay },
  { table: "likes", name: "likes", day: { sqlite: day, postgres: day } },
  { table: "bookmarks", name: "bookmarks", day: { sqlite: day, postgres: day } },
  { table: "messages", name: "messages", day: { sqlite: day, postgres: day } },
];

const published = (row: string) => `(${row}.status = 'active')`;

/** What a story is one of. */
const postTallies = [
  { name: "published", holds: published },
  { name: "drafts", holds: (row: string) => `(not ${published(row)})` },
  { name: "featured", holds: (row: string) => `(${row}.featured)` },
  { name: "pinned", holds: (row: string) => `(${row}.pinned)` },
];

/** What a published story brings with it. */
const postSums = [
  { name: "publishedViews", amount: (row: string) => `${row}.views` },
  { name: "publishedLikes", amount: (row: string) => `${row}."likesCount"` },
];

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db);

/** What is there already. */
async function fill(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const { table, name, day } of rowTallies) {
    await run(db, `insert into daily_tallies select '${name}', ${day[engine]("t")}, 0, count(*) from ${table} t group by 2`);
  }
  for (const { name, holds } of postTallies) {
    await run(db, `insert into daily_tallies select '${name}', ${day("t")}, 0, count(*) from posts t where ${holds("t")} group by 2`);
  }
  await run(db, "insert into tallies select name, 0, sum(value) from daily_tallies group by name");
  for (const { name, amount } of postSums) {
    await run(db, `insert into tallies select '${name}', 0, coalesce(sum(${amount("t")}), 0) from posts t where ${published("t")}`);
  }
  const one = `case when ${published("t")} then 1 else 0 end`;
  await run(
    db,
    `insert into member_tallies select u.id,
       (select count(*) from posts t where t."userId" = u.id),
       (select count(*) from posts t where t."userId" = u.id and ${published("t")}),
       (select coalesce(sum(t."likesCount" * ${one}), 0) from posts t where t."userId" = u.id),
       (select count(*) from messages m where m."senderId" = u.id)
     from users u`,
  );
  await run(db, "insert into tallies select 'writers', 0, count(*) from member_tallies where published > 0");
}

/**
 * A slot that no other running transaction writes into: waiting for each other's rows, in whatever order, is thereby ruled
 * out. Beyond 64 transactions at a time the slots are those of the connections themselves.
 */
async function preparePostgres(db: Kysely<unknown>): Promise<void> {
  await run(db, "alter table tallies set (fillfactor = 50)");
  await run(db, "alter table daily_tallies set (fillfactor = 50)");
  await run(
    db,
    `create function tally_slot() returns integer language plpgsql as $$
     declare slot integer := nullif(current_setting('inkstead.tally_slot', true), '')::integer;
     begin
       if slot is not null then return slot; end if;
       for step in 0..63 loop
         slot := (pg_backend_pid() + step) % 64;
         exit when pg_try_advisory_xact_lock(1952541804, slot);
         slot := 64 + pg_backend_pid();
       end loop;
       perform set_config('inkstead.tally_slot', slot::text, true);
       return slot;
     end $$`,
  );
}

const slots = { sqlite: "0", postgres: "tally_slot()" };

function addTotal(engine: Engine, name: string, amount: string, where: string): string {
  return `insert into tallies (name, slot, value) select '${name}', ${slots[engine]}, ${amount} where ${where}
    on conflict (name, slot) do update set value = tallies.value + excluded.value;`;
}

function addDaily(engine: Engine, name: string, day: string, amount: string, where: string): string {
  return `insert into daily_tallies (name, day, slot, value) select '${name}', ${day}, ${slots[engine]}, ${amount} where ${where}
    on conflict (name, day, slot) do update set value = daily_tallies.value + excluded.value;`;
}

function addRow(engine: Engine, name: string, day: string, amount: string, where = "true"): string {
  return `${addTotal(engine, name, amount, where)} ${addDaily(engine, name, day, amount, where)}`;
}

async function countPosts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const tally = (row: string, sign: "1" | "-1") =>
    [
      ...postTallies.map(({ name, holds }) => addRow(engine, name, day(row), sign, holds(row))),
      ...postSums.map(({ name, amount }) =>
        addTotal(engine, name, `${sign} * ${amount(row)}`, `${published(row)} and ${amount(row)} <> 0`),
      ),
      tallyAuthor(row, sign),
    ].join("\n");
  const moved = ["status", "featured", "pinned", '"createdAt"', '"userId"'].map((column) => `old.${column} <> new.${column}`).join(" or ");
  await createTrigger(db, engine, { name: "posts_tally_insert", on: "insert on posts", does: tally("new", "1") });
  await createTrigger(db, engine, { name: "posts_tally_delete", on: "delete on posts", does: tally("old", "-1") });
  await createTrigger(db, engine, {
    name: "posts_tally_move",
    on: 'update of status, featured, pinned, "createdAt", "userId" on posts',
    when: moved,
    does: `${tally("old", "-1")}\n${tally("new", "1")}`,
  });
  // The common case, and so as little as can be.
  const grown = (amount: (row: string) => string) => `${amount("new")} - ${amount("old")}`;
  await createTrigger(db, engine, {
    name: "posts_tally_grow",
    on: 'update of views, "likesCount" on posts',
    when: `${published("new")} and not (${moved})`,
    does: [
      ...postSums.map(({ name, amount }) => addTotal(engine, name, grown(amount), `${grown(amount)} <> 0`)),
      `update member_tallies set "likesReceived" = "likesReceived" + new."likesCount" - old."likesCount"
         where "userId" = new."userId" and new."likesCount" <> old."likesCount";`,
    ].join("\n"),
  });
}

/** Somebody whose account is going is gone already when their stories follow. */
function tallyAuthor(row: string, sign: "1" | "-1"): string {
  const one = `case when ${published(row)} then ${sign} else 0 end`;
  return `insert into member_tallies ("userId", posts, published, "likesReceived", "messagesSent")
    select ${row}."userId", ${sign}, ${one}, ${one} * ${row}."likesCount", 0 where exists (select 1 from users where id = ${row}."userId")
    on conflict ("userId") do update set posts = member_tallies.posts + excluded.posts,
      published = member_tallies.published + excluded.published,
      "likesReceived" = member_tallies."likesReceived" + excluded."likesReceived";`;
}

/** A writer is who has published something. */
async function countMembers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const writers = (amount: string) => addTotal(engine, "writers", amount, "true");
  const [is, was] = ["new.published > 0", "old.published > 0"];
  const on = { update: "update of published on member_tallies" };
  await createTrigger(db, engine, { name: "writers_insert", on: "insert on member_tallies", when: is, does: writers("1") });
  await createTrigger(db, engine, { name: "writers_delete", on: "delete on member_tallies", when: was, does: writers("-1") });
  await createTrigger(db, engine, { name: "writers_begin", on: on.update, when: `${is} and not (${was})`, does: writers("1") });
  await createTrigger(db, engine, { name: "writers_end", on: on.update, when: `${was} and not (${is})`, does: writers("-1") });
}

async function countRowsOnSqlite(db: Kysely<unknown>): Promise<void> {
  for (const { table, name, day } of rowTallies) {
    const at = day.sqlite;
    const sent = (row: string, sign: string) => (table === "messages" ? tallySender(`select ${row}."senderId" as id, ${sign} as n`) : "");
    const added = `${addRow("sqlite", name, at("new"), "1")} ${sent("new", "1")}`;
    const removed = `${addRow("sqlite", name, at("old"), "-1")} ${sent("old", "-1")}`;
    await createTrigger(db, "sqlite", { name: `${table}_tally_insert`, on: `insert on ${table}`, does: added });
    await createTrigger(db, "sqlite", { name: `${table}_tally_delete`, on: `delete on ${table}`, does: removed });
    await createTrigger(db, "sqlite", {
      name: `${table}_tally_move`,
      on: `update of "createdAt" on ${table}`,
      when: `${at("old")} <> ${at("new")}`,
      does: `${removed} ${added}`,
    });
  }
}

/** Once per statement: with a story may go a hundred thousand likes, and a row that one transaction changes so often gets slow. */
async function countRowsOnPostgres(db: Kysely<unknown>): Promise<void> {
  for (const { table, name, day } of rowTallies) {
    const change = (row: string, rows: string, sign: string) => `select ${day.postgres(row)} as day, ${sign} as n from ${rows} ${row}`;
    const count = (changes: string) => `
      insert into tallies (name, slot, value) select '${name}', tally_slot(), sum(n) from (${changes}) c having sum(n) <> 0
        on conflict (name, slot) do update set value = tallies.value + excluded.value;
      insert into daily_tallies (name, day, slot, value)
        select '${name}', day, tally_slot(), sum(n) from (${changes}) c group by day having sum(n) <> 0
        on conflict (name, day, slot) do update set value = daily_tallies.value + excluded.value;`;
    const sent = (rows: string, sign: string) =>
      table === "messages" ? tallySender(`select "senderId" as id, ${sign} as n from ${rows}`) : "";
    const [added, gone] = [change("a", "added", "1"), change("g", "gone", "-1")];
    await run(
      db,
      `create function ${table}_tally() returns trigger language plpgsql as $$ begin
         if tg_op = 'INSERT' then ${count(added)} ${sent("added", "1")}
         elsif tg_op = 'DELETE' then ${count(gone)} ${sent("gone", "-1")}
         else ${count(`${added} union all ${gone}`)}
         end if;
         return null;
       end $$`,
    );
    const rows = { insert: "new table as added", delete: "old table as gone", update: "old table as gone new table as added" };
    for (const [verb, tables] of Object.entries(rows)) {
      await run(
        db,
        `create trigger ${table}_tally_${verb} after ${verb} on ${table} referencing ${tables}
         for each statement when (${notCopying}) execute function ${table}_tally()`,
      );
    }
  }
}

/** In the order of ids, in which any two transactions that count for the same people wait for each other. */
function tallySender(changes: string): string {
  return `insert into member_tallies ("userId", posts, published, "likesReceived", "messagesSent")
    select c.id, 0, 0, 0, sum(c.n) from (${changes}) c where exists (select 1 from users u where u.id = c.id) group by c.id order by c.id
    on conflict ("userId") do update set "messagesSent" = member_tallies."messagesSent" + excluded."messagesSent";`;
}

/**
 * The figures of published stories that lists are sorted by. Beside the stories and not in them: on PostgreSQL a change of
 * an indexed column writes into every index of its row, the one for searches as well, and views change all the time.
 */
async function createRankings(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await db.schema
    .createTable("rankings")
    // Not `integer` on SQLite, whose own row number is not compared together with another column through an index.
    .addColumn("number", "bigint", (c) => c.primaryKey().references("posts.number").onDelete("cascade"))
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("views", "integer", (c) => c.notNull())
    .addColumn("likes", "integer", (c) => c.notNull())
    // Views + 2 x likes.
    .addColumn("score", "integer", (c) => c.notNull())
    .execute();
  const figures = (row: string) => `${row}.number, ${row}."createdAt", ${day(row)}, ${row}.views, ${row}."likesCount", ${score(row)}`;
  await run(db, `insert into rankings select ${figures("p")} from posts p where ${published("p")}`);
  await db.schema.createIndex("rankings_score").on("rankings").columns(["score", "number"]).execute();
  await db.schema.createIndex("rankings_views").on("rankings").columns(["views", "number"]).execute();
  await db.schema.createIndex("rankings_likes").on("rankings").columns(["likes", "number"]).execute();
  await db.schema.createIndex("rankings_day").on("rankings").columns(["day", "score", "number"]).execute();

  const add = `insert into rankings select ${figures("new")};`;
  const remove = "delete from rankings where number = old.number;";
  const placed = ['old.status <> new.status or old."createdAt" <> new."createdAt"'];
  await createTrigger(db, engine, { name: "rankings_insert", on: "insert on posts", when: published("new"), does: add });
  await createTrigger(db, engine, {
    name: "rankings_move",
    on: 'update of status, "createdAt" on posts',
    when: `${placed}`,
    does: `${remove} insert into rankings select ${figures("new")} where ${published("new")};`,
  });
  await createTrigger(db, engine, {
    name: "rankings_grow",
    on: 'update of views, "likesCount" on posts',
    when: `${published("new")} and not (${placed})`,
    does: `update rankings set views = new.views, likes = new."likesCount", score = ${score("new")} where number = new.number;`,
  });
}

const score = (row: string) => `(${row}.views + 2 * ${row}."likesCount")`;

/**
 * The words of a story, those of its title once more behind a mark, those of its author behind another, and its status
 * behind a third: what a list of the newest matches asks for is then one walk through the index, from its end.
 */
function markedWords(row: string): string {
  const [title, author, text] = ["searchTitle", "searchAuthor", "searchText"].map((column) => `${row}."${column}"`);
  const marked = (mark: string, words: string) => `replace(' ' || ${words}, ' ', ' ${mark}')`;
  return `${title} || ' ' || ${author} || ' ' || ${text} || ${marked("¹", `${title}`)} || ${marked("²", `${author}`)} || ' ³' || ${row}.status`;
}

/** Words only, without their places; beginnings of three to ten letters each have an order of their own. */
async function searchOnSqlite(db: Kysely<unknown>): Promise<void> {
  for (const name of ["insert", "delete", "update"]) await run(db, `drop trigger posts_search_${name}`);
  await run(db, "drop table posts_search");
  await run(
    db,
    `create virtual table posts_search using fts5(words, content='', detail=none, columnsize=0, tokenize='ascii', prefix='3 4 5 6 7 8 9 10')`,
  );
  await run(db, `insert into posts_search(rowid, words) select p.number, ${markedWords("p")} from posts p`);
  const add = `insert into posts_search(rowid, words) values (new.number, ${markedWords("new")});`;
  const remove = `insert into posts_search(posts_search, rowid, words) values ('delete', old.number, ${markedWords("old")});`;
  const columns = ["searchTitle", "searchAuthor", "searchText", "status"];
  await createTrigger(db, "sqlite", { name: "posts_search_insert", on: "insert on posts", does: add });
  await createTrigger(db, "sqlite", { name: "posts_search_delete", on: "delete on posts", does: remove });
  await createTrigger(db, "sqlite", {
    name: "posts_search_update",
    on: `update of ${columns.map((column) => `"${column}"`).join(", ")} on posts`,
    when: columns.map((column) => `old."${column}" <> new."${column}"`).join(" or "),
    does: `${remove} ${add}`,
  });
}

async function searchOnPostgres(db: Kysely<unknown>): Promise<void> {
  await run(db, "alter table posts drop column search");
  await run(
    db,
    `alter table posts add column search tsvector generated always as
       (array_to_tsvector(array_remove(string_to_array(${markedWords("posts")}, ' '), ''))) stored`,
  );
  await run(db, "create index posts_search on posts using gin (search)");
}
