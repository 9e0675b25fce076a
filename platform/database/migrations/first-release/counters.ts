import type { Types } from "./types.ts";

/** Counters and list orders (docs/decisions/0025-counters-and-lists.md). */
export const counters = ({ text }: Types) => `
create table tallies (
  name ${text} not null,
  -- Summed on reading. On PostgreSQL, slots keep concurrent transactions from writing to the same row.
  slot integer not null,
  value bigint not null,
  constraint tallies_key primary key (name, slot)
);

create table daily_tallies (
  name ${text} not null,
  -- Since 1970, in UTC.
  day integer not null,
  slot integer not null,
  value bigint not null,
  constraint daily_tallies_key primary key (name, day, slot)
);

create table member_tallies (
  "userId" ${text} primary key references users(id) on delete cascade,
  posts integer not null,
  published integer not null,
  "likesReceived" bigint not null,
  "messagesSent" integer not null,
  chats integer not null default 0
);

create table rankings (
  -- Not integer on SQLite, whose own row number is not compared together with another column through an index.
  number bigint primary key references posts(number) on delete cascade,
  "createdAt" bigint not null,
  day integer not null,
  views integer not null,
  likes integer not null,
  -- Views + 2 x likes.
  score integer not null,
  performance integer not null default 0
);
create index rankings_score on rankings (score, number);
create index rankings_views on rankings (views, number);
create index rankings_likes on rankings (likes, number);
create index rankings_day on rankings (day, score, number);
create index rankings_performance on rankings (day, performance, number);

create table draft_rankings (
  -- Not integer on SQLite (as in rankings).
  number bigint primary key references posts(number) on delete cascade,
  views integer not null,
  likes integer not null
);
create index draft_rankings_views on draft_rankings (views, number);
create index draft_rankings_likes on draft_rankings (likes, number);
`;
