import type { Types } from "./types.ts";

/** Uploads. */
export const files = ({ text }: Types) => `
create table files (
  id ${text} primary key,
  "ownerId" ${text} references users(id) on delete set null,
  name ${text} not null,
  type ${text} not null,
  size bigint not null,
  width integer,
  height integer,
  "createdAt" bigint not null,
  -- Set in the transaction that saves the file's first use; null for an unused upload.
  "attachedAt" bigint,
  signature ${text},
  public boolean not null default false,
  pieces integer not null default 1,
  "updatedAt" bigint
);
create index files_unattached on files ("createdAt") where "attachedAt" is null;
create index files_of_owner on files ("ownerId", "createdAt", id);
create index files_public on files ("createdAt", id) where public = true;

create table file_pieces (
  "fileId" ${text} not null references files(id) on delete cascade,
  number integer not null,
  constraint file_pieces_key primary key ("fileId", number)
);
`;
