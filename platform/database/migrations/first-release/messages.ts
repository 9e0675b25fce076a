import type { Types } from "./types.ts";

/** Private messages between two people. */
export const messages = ({ text }: Types) => `
create table conversations (
  id ${text} primary key,
  -- The two people in order of their ids, so that a pair has one conversation.
  "firstUserId" ${text} not null references users(id) on delete cascade,
  "secondUserId" ${text} not null references users(id) on delete cascade,
  "lastNumber" integer not null,
  "updatedAt" bigint not null,
  constraint conversations_pair unique ("firstUserId", "secondUserId")
);
create index conversations_second on conversations ("secondUserId");

create table messages (
  id ${text} primary key,
  "conversationId" ${text} not null references conversations(id) on delete cascade,
  number integer not null,
  -- From the sender's browser: a second send with the same id is the same message.
  "sendId" ${text} not null,
  "senderId" ${text} not null references users(id) on delete cascade,
  "receiverId" ${text} not null references users(id) on delete cascade,
  message ${text} not null,
  "isRead" boolean not null,
  "fileId" ${text} references files(id) on delete set null,
  "createdAt" bigint not null,
  folded ${text} not null default '',
  constraint messages_number unique ("conversationId", number),
  constraint messages_send unique ("senderId", "sendId")
);
create index messages_unread on messages ("receiverId", "conversationId") where "isRead" = false;
create index messages_file on messages ("fileId") where "fileId" is not null;
create index messages_sent on messages ("senderId", "receiverId", "createdAt", id);
create index messages_received on messages ("receiverId", "createdAt", id);
create index messages_newest on messages ("createdAt", id);
create index messages_of_sender on messages ("senderId", "createdAt", id);

create table participants (
  "userId" ${text} not null references users(id) on delete cascade,
  "partnerId" ${text} not null references users(id) on delete cascade,
  "conversationId" ${text} not null references conversations(id) on delete cascade,
  -- The newest message that isn't deleted, and when it was sent; null if all are.
  "lastNumber" integer,
  "lastAt" bigint,
  "unreadCount" integer not null,
  -- Everything up to this number has been read by userId; it only grows.
  "readNumber" integer not null,
  muted boolean not null,
  "letterAt" bigint,
  constraint participants_pair primary key ("userId", "partnerId")
);
create index participants_list on participants ("userId", "lastAt", "conversationId");
create index participants_conversation on participants ("conversationId");
create index participants_partner on participants ("partnerId");
create index participants_unread on participants ("userId", muted, "unreadCount") where "unreadCount" > 0;
create index participants_letters on participants ("letterAt") where "letterAt" is not null;

create table blocks (
  "userId" ${text} not null references users(id) on delete cascade,
  "blockedId" ${text} not null references users(id) on delete cascade,
  "createdAt" bigint not null,
  constraint blocks_pair primary key ("userId", "blockedId")
);
create index blocks_blocked on blocks ("blockedId");

-- A retry of a send must not restore a deleted message.
create table deleted_messages (
  "senderId" ${text} not null references users(id) on delete cascade,
  "sendId" ${text} not null,
  "conversationId" ${text} not null references conversations(id) on delete cascade,
  id ${text} not null,
  number integer not null,
  "createdAt" bigint not null,
  constraint deleted_messages_send primary key ("senderId", "sendId")
);
create index deleted_messages_number on deleted_messages ("conversationId", number);
`;
