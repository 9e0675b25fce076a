import { runAll, type Step, sql } from "./step.ts";

/** Browsers with push notifications, and the queue of pushes (docs/decisions/0041-push.md). */
export const push: Step = async (db, { text, serial }) => {
  await db.schema
    .createTable("push_devices")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    // Deleted with its session.
    .addColumn("sessionId", text, (c) => c.notNull().references("sessions.id").onDelete("cascade"))
    .addColumn("endpoint", text, (c) => c.notNull().unique())
    .addColumn("publicKey", text, (c) => c.notNull())
    .addColumn("secret", text, (c) => c.notNull())
    .addColumn("userAgent", text, (c) => c.notNull())
    .addColumn("createdAt", "bigint", (c) => c.notNull())
    .addColumn("failures", "bigint", (c) => c.notNull().defaultTo(sql.lit(0)))
    .execute();
  await db.schema
    .createTable("pushes")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("device", "bigint", (c) => c.notNull().references("push_devices.number").onDelete("cascade"))
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("key", text, (c) => c.notNull())
    .addColumn("dueAt", "bigint", (c) => c.notNull())
    .addColumn("expiresAt", "bigint", (c) => c.notNull())
    .addColumn("tries", "bigint", (c) => c.notNull().defaultTo(sql.lit(0)))
    .execute();
  // Null for the default.
  await db.schema.alterTable("notification_preferences").addColumn("push", "boolean").execute();
  // The last device that has the story's push in its queue.
  await db.schema
    .alterTable("story_emails")
    .addColumn("lastDevice", "bigint", (c) => c.notNull().defaultTo(sql.lit(0)))
    .execute();
  await runAll(db, indexes);
};

const indexes = `
create index push_devices_user on push_devices ("userId", number);

create index push_devices_session on push_devices ("sessionId");

create unique index pushes_entry on pushes (device, kind, key);

create index pushes_due on pushes ("dueAt");
`;
