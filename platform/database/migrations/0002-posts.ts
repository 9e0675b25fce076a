import { type Step, sql } from "./step.ts";

export const posts: Step = async (db, { text, serial }) => {
  await db.schema
    .createTable("files")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("ownerId", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("name", text, (c) => c.notNull())
    .addColumn("type", text, (c) => c.notNull())
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("width", "integer")
    .addColumn("height", "integer")
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    // Set in the transaction that saves what shows the file; null means an upload that never got there.
    .addColumn("attachedAt", "bigint")
    .execute();
  await db.schema.createIndex("files_unattached").on("files").column("createdAt").where(sql.ref("attachedAt"), "is", null).execute();

  await db.schema
    .createTable("posts")
    // Named, so that it stays the same through a VACUUM: the search index refers to it.
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("id", text, (c) => c.notNull().unique())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("userName", text, (c) => c.notNull())
    .addColumn("title", text, (c) => c.notNull())
    // The beginning of the content without tags, for cards.
    .addColumn("summary", text, (c) => c.notNull())
    .addColumn("words", "integer", (c) => c.notNull())
    .addColumn("featuredImage", text, (c) => c.references("files.id").onDelete("set null"))
    .addColumn("status", text, (c) => c.notNull())
    .addColumn("featured", "boolean", (c) => c.notNull())
    .addColumn("pinned", "boolean", (c) => c.notNull())
    .addColumn("views", "integer", (c) => c.notNull())
    .addColumn("likesCount", "integer", (c) => c.notNull())
    .addColumn("bookmarksCount", "integer", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    // The words of title, author and text as both engines compare them (search-words.ts).
    .addColumn("searchTitle", text, (c) => c.notNull().defaultTo(""))
    .addColumn("searchAuthor", text, (c) => c.notNull().defaultTo(""))
    // Long ones last: SQLite reads a row from its beginning, and lists need none of these.
    .addColumn("content", text, (c) => c.notNull())
    .addColumn("markdown", text)
    .addColumn("plainText", text, (c) => c.notNull())
    .addColumn("searchText", text, (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema.createIndex("posts_newest").on("posts").columns(["status", "createdAt", "number"]).execute();
  await db.schema.createIndex("posts_author").on("posts").columns(["userId", "status", "createdAt", "number"]).execute();
  await db.schema
    .createIndex("posts_featured")
    .on("posts")
    .columns(["createdAt", "number"])
    .where(sql.ref("featured"), "=", sql.lit(true))
    .execute();
  await db.schema
    .createIndex("posts_pinned")
    .on("posts")
    .columns(["createdAt", "number"])
    .where(sql.ref("pinned"), "=", sql.lit(true))
    .execute();
  await db.schema.createIndex("posts_picture").on("posts").column("featuredImage").execute();

  for (const table of ["likes", "bookmarks"]) {
    await db.schema
      .createTable(table)
      .addColumn("postId", text, (c) => c.notNull().references("posts.id").onDelete("cascade"))
      .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("createdAt", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, ["postId", "userId"])
      .execute();
    await db.schema.createIndex(`${table}_of_user`).on(table).columns(["userId", "createdAt"]).execute();
  }
};
