import type { Step } from "./step.ts";

/**
 * The state of an account's security: an epoch whose increase invalidates links and trusted browsers, address changes, known
 * devices and a log of events.
 */
export const accountSecurity: Step = async (db, { text, serial }) => {
  await db.schema
    .alterTable("users")
    .addColumn("securityEpoch", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  // Unknown for those set up before this migration.
  await db.schema.alterTable("two_factors").addColumn("confirmedAt", "bigint").execute();

  await db.schema
    .createTable("email_changes")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("fromEmail", text, (c) => c.notNull())
    .addColumn("toEmail", text, (c) => c.notNull())
    .addColumn("epoch", "integer", (c) => c.notNull())
    .addColumn("state", text, (c) => c.notNull())
    .addColumn("requestedAt", "bigint", (c) => c.notNull())
    .addColumn("madeAt", "bigint")
    .execute();
  await db.schema.createIndex("email_changes_user").on("email_changes").columns(["userId", "requestedAt"]).execute();
  await db.schema.createIndex("email_changes_from").on("email_changes").column("fromEmail").execute();

  await db.schema
    .createTable("known_devices")
    .addColumn("id", text, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("browser", text)
    .addColumn("device", text, (c) => c.notNull())
    .addColumn("network", text, (c) => c.notNull())
    .addColumn("firstSeenAt", "bigint", (c) => c.notNull())
    .addColumn("lastSeenAt", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("known_devices_user").on("known_devices").columns(["userId", "lastSeenAt"]).execute();

  await db.schema
    .createTable("security_events")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("device", text, (c) => c.notNull())
    .addColumn("network", text, (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("security_events_user").on("security_events").columns(["userId", "number"]).execute();
};
