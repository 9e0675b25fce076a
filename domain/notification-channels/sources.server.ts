import { sql } from "kysely";
import { listNewFollowedPosts } from "../follows/following-feed.server.ts";
import { listAnswers, listNotices, noticeAt } from "../moderation/notices.server.ts";
import type { NotificationKind } from "../notifications/kinds.ts";
import type { Member, Site } from "../site.ts";
import { readBundles } from "./bundle-entries.server.ts";
import { entryId } from "./entry.ts";
import { readUnreadConversations } from "./messages.server.ts";
import { isBefore, type KeyedEntry, notificationRetentionMs, type SourcePage } from "./source.server.ts";

type Source = {
  kinds: NotificationKind[];
  read: (site: Site, viewer: Member, page: SourcePage) => Promise<KeyedEntry[]>;
  /** Others have numbers. */
  hasTextKeys?: true;
};

/** Each kind has one source. Only bundles are stored as notifications; the others are read from their own tables. */
export const sources: Source[] = [
  { kinds: ["follower", "like", "bookmark"], read: readBundles },
  { kinds: ["story"], read: readPosts },
  { kinds: ["message"], read: readUnreadConversations, hasTextKeys: true },
  { kinds: ["decision"], read: readDecisions },
  { kinds: ["answer"], read: readAnswers },
];

async function readPosts(site: Site, viewer: Member, { before, onlyUnread, limit }: SourcePage): Promise<KeyedEntry[]> {
  const readAt = await storiesReadAt(site, viewer.id);
  const oldest = site.now() - notificationRetentionMs;
  const from = before && ([before.at, Number(before.key)] as const);
  const since = onlyUnread ? Math.max(readAt, oldest) : oldest;
  const cards = await listNewFollowedPosts(site, viewer, { limit, from, since, onlyUnread });
  const opened = onlyUnread ? new Set<string>() : await openedPosts(site, viewer.id, cards);
  return cards.map(({ id, title, userId, userName, profileImage, publishedAt, number }) => ({
    key: String(number),
    entry: {
      ...{ kind: "story", id: entryId("story", id), at: Number(publishedAt), post: { id, title } },
      author: { id: userId, name: userName, profileImage },
      isRead: Number(publishedAt) <= readAt || opened.has(id),
    },
  }));
}

async function storiesReadAt({ db }: Site, userId: string): Promise<number> {
  const row = await db.selectFrom("notification_settings").select("storiesReadAt").where("userId", "=", userId).executeTakeFirst();
  return Number(row?.storiesReadAt ?? 0);
}

async function openedPosts({ db }: Site, userId: string, posts: { id: string }[]): Promise<Set<string | null>> {
  if (posts.length === 0) return new Set();
  const ids = posts.map(({ id }) => id);
  const rows = db.selectFrom("notifications").select("postId").where("userId", "=", userId).where("kind", "=", sql.lit("story"));
  return new Set((await rows.where("postId", "in", ids).execute()).map(({ postId }) => postId));
}

async function readDecisions(site: Site, viewer: Member, page: SourcePage): Promise<KeyedEntry[]> {
  const before = isBefore(page, noticeAt, "number");
  const notices = await listNotices(site, viewer, { limit: page.limit, before, onlyUnread: page.onlyUnread });
  return notices.map((notice) => ({
    key: String(notice.number),
    entry: {
      ...{ kind: "decision", id: entryId("decision", notice.id), notice },
      ...{ at: notice.undoneAt ?? notice.createdAt, isRead: notice.seen },
    },
  }));
}

async function readAnswers(site: Site, viewer: Member, page: SourcePage): Promise<KeyedEntry[]> {
  const before = isBefore(page, "updatedAt", "number");
  const answers = await listAnswers(site, viewer, { limit: page.limit, before, onlyUnread: page.onlyUnread });
  return answers.map(({ number, id, updatedAt, answerSeenAt, ...report }) => ({
    key: String(number),
    entry: { kind: "answer", id: entryId("answer", id), at: updatedAt, isRead: answerSeenAt !== null, report },
  }));
}
