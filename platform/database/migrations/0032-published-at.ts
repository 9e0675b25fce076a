import { runAll, type Step } from "./step.ts";

/**
 * A story's date is when it was first published; for existing ones, when they were created. The column is renamed rather than added, and
 * `createdAt` is set only if it differs: rewriting a row would update every index, including the full-text one.
 */
export const publishedAt: Step = (db) => runAll(db, statements);

/** Moderators' decisions store the previous state; rules hold a story before it is visible. */
const wasEverVisible = `
  posts.status = 'active' or posts.views > 0 or posts."likesCount" > 0 or posts."bookmarksCount" > 0
    or exists (select 1 from moderation_actions a
      where a.subject = 'post:' || posts.id and a."ruleId" is null and a.before like '%"status":"active"%')`;

const statements = `
alter table rankings rename column "createdAt" to "publishedAt";

alter table posts rename column "createdAt" to "publishedAt";

alter table posts alter column "publishedAt" drop not null;

alter table posts add column "createdAt" bigint;

drop index posts_own;

create index posts_own on posts ("userId", (coalesce("createdAt", "publishedAt")), number);

create index posts_created on posts (status, (coalesce("createdAt", "publishedAt")), number);

create index posts_featured_created on posts ((coalesce("createdAt", "publishedAt")), number) where featured = true;

create index posts_pinned_created on posts ((coalesce("createdAt", "publishedAt")), number) where pinned = true;

update posts set "createdAt" = "publishedAt", "publishedAt" = null where not (${wasEverVisible});
`;
