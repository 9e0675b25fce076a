import type { Types } from "./types.ts";

/** Working copies, and earlier versions of stories and working copies. */
export const drafts = ({ text }: Types) => `
create table working_copies (
  id ${text} primary key,
  "userId" ${text} not null references users(id) on delete cascade,
  -- The edited story; null for a new one, or if somebody else deleted it.
  "postId" ${text} references posts(id) on delete set null,
  "postVersion" integer,
  title ${text} not null,
  slug ${text} not null,
  "slugTyped" boolean not null,
  markdown ${text} not null,
  status ${text} not null,
  "featuredImage" ${text} references files(id) on delete set null,
  revision bigint not null,
  -- The page that saved last, and its number of changes by then.
  writer ${text} not null,
  "writerCount" bigint not null,
  "keptAt" bigint not null,
  "createdAt" bigint not null,
  "updatedAt" bigint not null
);
create index working_copies_of_user on working_copies ("userId", "updatedAt");
create index working_copies_of_post on working_copies ("postId");
create index working_copies_picture on working_copies ("featuredImage");

create table copy_files (
  "copyId" ${text} not null references working_copies(id) on delete cascade,
  "fileId" ${text} not null references files(id) on delete cascade,
  constraint copy_files_key primary key ("copyId", "fileId")
);
create index copy_files_of_file on copy_files ("fileId");

create table versions (
  id ${text} primary key,
  -- Exactly one is set: when a working copy becomes a story, its versions move to the story.
  "postId" ${text} references posts(id) on delete cascade,
  "copyId" ${text} references working_copies(id) on delete cascade,
  "userId" ${text} references users(id) on delete set null,
  title ${text} not null,
  markdown ${text} not null,
  "createdAt" bigint not null
);
create index versions_of_post on versions ("postId", "createdAt", id);
create index versions_of_copy on versions ("copyId", "createdAt", id);
`;
