import { type Kysely, type Step, sql } from "./step.ts";

/** What clients of the public API see and bring: ids of reactions, preferences, files in pieces. */
export const api: Step = async (db, { engine, text }) => {
  for (const table of ["likes", "bookmarks", "follows"]) {
    await (engine === "sqlite" ? idsOnSqlite(db, table) : idsOnPostgres(db, table));
    await db.schema.createIndex(`${table}_id`).on(table).column("id").unique().execute();
    await db.schema.createIndex(`${table}_order`).on(table).columns(["createdAt", "id"]).execute();
    const whole = table === "follows" ? "followerId" : "postId";
    await db.schema.createIndex(`${table}_of_one`).on(table).columns([whole, "createdAt", "id"]).execute();
  }
  await db.schema.createIndex("posts_by_title").on("posts").columns(["status", "title", "number"]).execute();
  await db.schema.createIndex("profiles_order").on("profiles").columns(["createdAt", "userId"]).execute();

  await db.schema.createIndex("messages_sent").on("messages").columns(["senderId", "receiverId", "createdAt", "id"]).execute();
  await db.schema.createIndex("messages_received").on("messages").columns(["receiverId", "createdAt", "id"]).execute();

  await db.schema
    .createTable("preferences")
    .addColumn("userId", text, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("prefs", text, (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();

  // Of a file that came through the API: MD5 of its bytes once it is whole, whether everybody may have it, and in how
  // many pieces of which size it came and is kept.
  await db.schema.alterTable("files").addColumn("signature", text).execute();
  await db.schema
    .alterTable("files")
    .addColumn("public", "boolean", (c) => c.notNull().defaultTo(sql.lit(false)))
    .execute();
  await db.schema
    .alterTable("files")
    .addColumn("pieces", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable("files").addColumn("updatedAt", "bigint").execute();
  await db.schema.createIndex("files_of_owner").on("files").columns(["ownerId", "createdAt", "id"]).execute();
  await db.schema
    .createIndex("files_public")
    .on("files")
    .columns(["createdAt", "id"])
    .where(sql.ref("public"), "=", sql.lit(true))
    .execute();
  await db.schema
    .createTable("file_pieces")
    .addColumn("fileId", text, (c) => c.notNull().references("files.id").onDelete("cascade"))
    .addColumn("number", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("file_pieces_key", ["fileId", "number"])
    .execute();
};

/** Every row has one, whoever inserts it. SQLite adds no column whose default is an expression. */
async function idsOnSqlite(db: Kysely<unknown>, table: string): Promise<void> {
  const random = sql`lower(hex(randomblob(10)))`;
  await sql`alter table ${sql.table(table)} add column id text`.execute(db);
  await sql`update ${sql.table(table)} set id = ${random}`.execute(db);
  await sql`create trigger ${sql.table(`${table}_give_id`)} after insert on ${sql.table(table)} when new.id is null
    begin update ${sql.table(table)} set id = ${random} where rowid = new.rowid; end`.execute(db);
}

async function idsOnPostgres(db: Kysely<unknown>, table: string): Promise<void> {
  const random = sql`substr(replace(gen_random_uuid()::text, '-', ''), 1, 20)`;
  await sql`alter table ${sql.table(table)} add column id text collate "C" not null default ${random}`.execute(db);
}
