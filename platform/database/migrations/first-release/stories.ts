import type { Types } from "./types.ts";

/** Stories, reactions, views and the words by which typos are found. */
export const stories = ({ serial, text, rowId }: Types) => `
create table posts (
  -- An explicit column, because VACUUM would change an implicit rowid; the search index refers to it.
  number ${serial} primary key,
  id ${text} not null unique,
  "userId" ${text} not null references users(id) on delete cascade,
  "userName" ${text} not null,
  title ${text} not null,
  -- The beginning of the content without tags, for cards.
  summary ${text} not null,
  words integer not null,
  "featuredImage" ${text} references files(id) on delete set null,
  status ${text} not null,
  featured boolean not null,
  pinned boolean not null,
  views integer not null,
  "likesCount" integer not null,
  "bookmarksCount" integer not null,
  "createdAt" bigint not null,
  "updatedAt" bigint not null,
  -- The words of title, author and text, normalized for both engines (search-words.ts).
  "searchTitle" ${text} not null default '',
  "searchAuthor" ${text} not null default '',
  version integer not null default 1,
  "updatedBy" ${text} references users(id) on delete set null,
  "adjustedLikes" integer not null default 0,
  "heldBy" ${text} references acts(id) on delete set null,
  -- Long columns last: SQLite reads a row from its start, and lists don't need them.
  content ${text} not null,
  markdown ${text},
  "plainText" ${text} not null,
  "searchText" ${text} not null default ''
);
create index posts_newest on posts (status, "createdAt", number);
create index posts_author on posts ("userId", status, "createdAt", number);
create index posts_featured on posts ("createdAt", number) where featured = true;
create index posts_pinned on posts ("createdAt", number) where pinned = true;
create index posts_picture on posts ("featuredImage");
create index posts_title on posts (status, "searchTitle", number);
create index posts_author_name on posts (status, "searchAuthor", number);
create index posts_sitemap on posts (status, number, id, "updatedAt");
create index posts_own on posts ("userId", "createdAt", number);
create index posts_by_title on posts (status, title, number);
create index posts_held on posts ("heldBy") where "heldBy" is not null;

create table post_files (
  "postId" ${text} not null references posts(id) on delete cascade,
  "fileId" ${text} not null references files(id) on delete cascade,
  constraint post_files_key primary key ("postId", "fileId")
);
create index post_files_of_file on post_files ("fileId");

create table likes (
  "postId" ${text} not null references posts(id) on delete cascade,
  "userId" ${text} not null references users(id) on delete cascade,
  "createdAt" bigint not null,
  id ${rowId},
  constraint likes_key primary key ("postId", "userId")
);
create index likes_of_user on likes ("userId", "createdAt");
create unique index likes_id on likes (id);
create index likes_order on likes ("createdAt", id);
create index likes_of_one on likes ("postId", "createdAt", id);

create table bookmarks (
  "postId" ${text} not null references posts(id) on delete cascade,
  "userId" ${text} not null references users(id) on delete cascade,
  "createdAt" bigint not null,
  id ${rowId},
  constraint bookmarks_key primary key ("postId", "userId")
);
create index bookmarks_newest on bookmarks ("userId", "createdAt", "postId");
create unique index bookmarks_id on bookmarks (id);
create index bookmarks_order on bookmarks ("createdAt", id);
create index bookmarks_of_one on bookmarks ("postId", "createdAt", id);

create table adjusted_likes (
  "postId" ${text} not null references posts(id) on delete cascade,
  -- Not of an account.
  "userId" ${text} not null,
  "createdAt" bigint not null,
  constraint adjusted_likes_key primary key ("postId", "userId")
);

create table removed_likes (
  "actId" ${text} not null references acts(id) on delete cascade,
  "userId" ${text} not null references users(id) on delete cascade,
  id ${text} not null,
  "createdAt" bigint not null,
  "removedAt" bigint not null,
  constraint removed_likes_key primary key ("actId", "userId")
);
create index removed_likes_user on removed_likes ("userId");
create index removed_likes_end on removed_likes ("removedAt");

create table views (
  "postId" text not null references posts(id) on delete cascade,
  -- A member's id, or a keyed hash of a visitor's address and browser.
  "viewerKey" text not null,
  "endsAt" bigint not null,
  constraint views_key primary key ("postId", "viewerKey")
);
create index views_end on views ("endsAt");

create table search_words (
  number ${serial} primary key,
  word ${text} not null unique,
  variants ${text} not null default ''
);
`;
