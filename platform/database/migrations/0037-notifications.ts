import { runAll, type Step, sql } from "./step.ts";

/** Notifications and members' preferences for them (docs/decisions/0038-notifications.md). */
export const notifications: Step = async (db, { text, serial }) => {
  await db.schema
    .createTable("notifications")
    .addColumn("number", serial, (c) => c.primaryKey())
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("postId", text, (c) => c.references("posts.id").onDelete("cascade").onUpdate("cascade"))
    // It covers the events between these two times.
    .addColumn("since", "bigint", (c) => c.notNull())
    .addColumn("updatedAt", "bigint", (c) => c.notNull())
    .addColumn("readAt", "bigint")
    .addColumn("emailDueAt", "bigint")
    .execute();
  await db.schema
    .createTable("notification_preferences")
    .addColumn("userId", text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("kind", text, (c) => c.notNull())
    .addColumn("onSite", "boolean", (c) => c.notNull())
    .addColumn("email", text, (c) => c.notNull())
    .addPrimaryKeyConstraint("notification_preferences_key", ["userId", "kind"])
    .execute();
  await db.schema
    .createTable("notification_settings")
    .addColumn("userId", text, (c) => c.primaryKey().notNull().references("users.id").onDelete("cascade"))
    .addColumn("storiesReadAt", "bigint", (c) => c.notNull().defaultTo(sql.lit(0)))
    .addColumn("timeZone", text)
    .addColumn("quietFrom", "bigint")
    .addColumn("quietTo", "bigint")
    .addColumn("dailyDueAt", "bigint")
    .addColumn("dailySince", "bigint")
    .addColumn("weeklyDueAt", "bigint")
    .addColumn("weeklySince", "bigint")
    .addColumn("token", text, (c) => c.unique())
    .execute();
  await runAll(db, indexes);
  await runAll(db, takenOver(Date.now()));
};

const indexes = `
create index notifications_list on notifications ("userId", "updatedAt", number);

create index notifications_kind on notifications ("userId", kind, "updatedAt", number);

create index notifications_unread on notifications ("userId", "updatedAt", number) where "readAt" is null;

create unique index notifications_open on notifications ("userId", kind, "postId") where "readAt" is null;

create unique index notifications_story on notifications ("userId", "postId") where kind = 'story';

create index notifications_post on notifications ("postId");

create index notifications_email on notifications ("emailDueAt") where "emailDueAt" is not null;

create index notifications_read on notifications ("readAt") where "readAt" is not null;

create index notification_preferences_email on notification_preferences (kind, email, "userId");

create index notification_settings_daily on notification_settings ("dailyDueAt") where "dailyDueAt" is not null;

create index notification_settings_weekly on notification_settings ("weeklyDueAt") where "weeklyDueAt" is not null;

create index follows_newest_of_followed on follows ("followedId", "createdAt");
`;

/** Existing followers are notified of new stories only. */
const takenOver = (now: number) => `
insert into notification_preferences ("userId", kind, "onSite", email)
  select "userId", 'message', true, 'never' from email_choices where messages = false;

insert into notification_preferences ("userId", kind, "onSite", email)
  select "userId", 'follower', true, 'never' from email_choices where followers = false;

insert into notification_settings ("userId", "storiesReadAt")
  select distinct "followerId", ${now} from follows;

drop table email_choices;
`;
