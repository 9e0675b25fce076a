import { type Step, sql } from "./step.ts";

/** What administrators and rules do to stories and members: why, for how long, and whether it was undone. */
export const moderation: Step = async (db, { text, serial }) => {
  await db.schema
    .createTable("acts")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("id", text, (c) => c.notNull().unique())
    .addColumn("kind", text, (c) => c.notNull())
    // As in the audit log: `post:night-bus`, `user:19d…`.
    .addColumn("subject", text, (c) => c.notNull())
    // What it was called then.
    .addColumn("title", text, (c) => c.notNull())
    // Whom it concerns.
    .addColumn("memberId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("moderatorId", text, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("moderatorName", text, (c) => c.notNull())
    // The rule that did it, if it was one.
    .addColumn("ruleId", text)
    .addColumn("reason", text, (c) => c.notNull())
    // JSON: what undoing puts back.
    .addColumn("before", text, (c) => c.notNull())
    // What was done to many at once has the same one.
    .addColumn("batchId", text)
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    // Of a suspension its end; of a deletion when the story goes for good.
    .addColumn("endsAt", "bigint")
    .addColumn("undoneAt", "bigint")
    .addColumn("seenAt", "bigint")
    .execute();
  await db.schema.createIndex("acts_member").on("acts").columns(["memberId", "number"]).execute();
  await db.schema.createIndex("acts_subject").on("acts").columns(["subject", "number"]).execute();
  await db.schema.createIndex("acts_batch").on("acts").column("batchId").where(sql.ref("batchId"), "is not", null).execute();
  await db.schema.createIndex("acts_end").on("acts").columns(["kind", "endsAt"]).where(sql.ref("undoneAt"), "is", null).execute();

  await db.schema.alterTable("audit_log").addColumn("actId", text).execute();

  // The act that keeps the story out of sight: a draft that only an administrator can publish.
  await db.schema
    .alterTable("posts")
    .addColumn("heldBy", text, (c) => c.references("acts.id").onDelete("set null"))
    .execute();
  await db.schema.createIndex("posts_held").on("posts").column("heldBy").where(sql.ref("heldBy"), "is not", null).execute();

  await db.schema
    .createTable("suspensions")
    .addColumn("userId", text, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("actId", text, (c) => c.notNull().references("acts.id").onDelete("cascade"))
    .addColumn("until", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("suspensions_end").on("suspensions").column("until").execute();

  // What the administrators answered, to be read by who reported or appealed.
  await db.schema
    .alterTable("reports")
    .addColumn("answer", text, (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema.createIndex("reports_subject").on("reports").columns(["kind", "subjectId", "number"]).execute();

  await db.schema
    .createTable("rules")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("id", text, (c) => c.notNull().unique())
    .addColumn("outcome", text, (c) => c.notNull())
    // JSON, in the vocabulary of domain/rules/rule.ts.
    .addColumn("conditions", text, (c) => c.notNull())
    // What the author of a held story reads.
    .addColumn("message", text, (c) => c.notNull())
    .addColumn("enabled", "boolean", (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .execute();
};
