import { type RawBuilder, sql } from "kysely";
import { countUnseenNotices } from "../moderation/unseen-notices.server.ts";
import { hasVisibleRows, isVisibleActor } from "../notifications/bundle-sources.server.ts";
import { notificationRetentionMs } from "./source.server.ts";

/** A value, or a column in a query for several members. */
type MemberId = string | RawBuilder<unknown>;

const lifetime = sql.lit(notificationRetentionMs);

/** The bell shows 99+ beyond. */
const maxCount = sql.lit(99);

/**
 * An SQL expression for a member's unread notifications, without messages, which have their own badge. A bundle counts once. New stories cost
 * one index lookup per followed member.
 */
export function unreadNotifications(userId: MemberId, now: number): RawBuilder<number> {
  return sql<number>`(${unreadBundles(userId, now)} + ${unreadPosts(userId, now)} + ${countUnseenNotices(userId)})`;
}

function unreadBundles(userId: MemberId, now: number): RawBuilder<number> {
  return sql`(select count(*) from (select 1 from notifications n where n."userId" = ${userId} and n."readAt" is null
    and not ${isKindOff(userId, sql`n.kind`)} and ${hasVisibleRows(userId, now)} limit ${maxCount}) bundles)`;
}

function unreadPosts(userId: MemberId, now: number): RawBuilder<number> {
  const readAt = sql`coalesce((select "storiesReadAt" from notification_settings where "userId" = ${userId}), 0)`;
  return sql`(case when ${isKindOff(userId, sql.lit("story"))} then 0 else (select coalesce(sum((
      select count(*) from (select 1 from posts where posts."userId" = f."followedId" and posts.status = 'active'
        and posts."publishedAt" > f."createdAt" and posts."publishedAt" > ${now} - ${lifetime} and posts."publishedAt" > ${readAt}
        and not exists (select 1 from notifications n where n."userId" = ${userId} and n."postId" = posts.id and n.kind = 'story')
        limit ${maxCount}) stories)), 0)
    from follows f where f."followerId" = ${userId} and ${isVisibleActor(sql.ref("f.followedId"), userId, now)}) end)`;
}

function isKindOff(userId: MemberId, kind: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select 1 from notification_preferences p
    where p."userId" = ${userId} and p.kind = ${kind} and p."onSite" = ${sql.lit(false)})`;
}

/** 1 or 0. */
export function countsNewPosts(userId: string): RawBuilder<number> {
  return sql`(case when ${isKindOff(userId, sql.lit("story"))} then 0 else 1 end)`;
}
