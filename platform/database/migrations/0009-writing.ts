import type { Step } from "./step.ts";

/** Unfinished work, what stories and unfinished work said before, and which of them show which pictures. */
export const writing: Step = async (db, { text }) => {
  // Counts up with every change of the story by a writer.
  await db.schema
    .alterTable("posts")
    .addColumn("version", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  // Who wrote what stands there, where that is not the author.
  await db.schema
    .alterTable("posts")
    .addColumn("updatedBy", text, (c) => c.references("users.id").onDelete("set null"))
    .execute();

  await db.schema
    .createTable("working_copies")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    // The story that is being edited; null for a new one, and when somebody else has deleted it.
    .addColumn("postId", text, (c) => c.references("posts.id").onDelete("set null"))
    .addColumn("postVersion", "integer")
    .addColumn("title", text, (c) => c.notNull())
    .addColumn("slug", text, (c) => c.notNull())
    .addColumn("slugTyped", "boolean", (c) => c.notNull())
    .addColumn("markdown", text, (c) => c.notNull())
    .addColumn("status", text, (c) => c.notNull())
    .addColumn("featuredImage", text, (c) => c.references("files.id").onDelete("set null"))
    .addColumn("revision", "bigint", (c) => c.notNull())
    // The page that saved last, and how many changes it had made by then.
    .addColumn("writer", text, (c) => c.notNull())
    .addColumn("writerCount", "bigint", (c) => c.notNull())
    .addColumn("keptAt", "bigint", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("working_copies_of_user").on("working_copies").columns(["userId", "updatedAt"]).execute();
  await db.schema.createIndex("working_copies_of_post").on("working_copies").column("postId").execute();
  await db.schema.createIndex("working_copies_picture").on("working_copies").column("featuredImage").execute();

  await db.schema
    .createTable("versions")
    .addColumn("id", text, (c) => c.primaryKey())
    // One of the two: a version moves to the story with the working copy that becomes it.
    .addColumn("postId", text, (c) => c.references("posts.id").onDelete("cascade"))
    .addColumn("copyId", text, (c) => c.references("working_copies.id").onDelete("cascade"))
    .addColumn("userId", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("title", text, (c) => c.notNull())
    .addColumn("markdown", text, (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("versions_of_post").on("versions").columns(["postId", "createdAt", "id"]).execute();
  await db.schema.createIndex("versions_of_copy").on("versions").columns(["copyId", "createdAt", "id"]).execute();

  for (const [table, owner, owners] of [
    ["post_files", "postId", "posts"],
    ["copy_files", "copyId", "working_copies"],
  ] as const) {
    await db.schema
      .createTable(table)
      .addColumn(owner, text, (c) => c.notNull().references(`${owners}.id`).onDelete("cascade"))
      .addColumn("fileId", text, (c) => c.notNull().references("files.id").onDelete("cascade"))
      .addPrimaryKeyConstraint(`${table}_key`, [owner, "fileId"])
      .execute();
    await db.schema.createIndex(`${table}_of_file`).on(table).column("fileId").execute();
  }
  // One's own stories, drafts and published ones together, newest first.
  await db.schema.createIndex("posts_own").on("posts").columns(["userId", "createdAt", "number"]).execute();
};
