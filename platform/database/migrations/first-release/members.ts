import type { Types } from "./types.ts";

/** Profiles, follows and newsletter subscriptions. */
export const members = ({ text, rowId, serial }: Types) => `
create table profiles (
  "userId" ${text} primary key references users(id) on delete cascade,
  "userName" ${text} not null,
  bio ${text} not null,
  location ${text} not null,
  website ${text} not null,
  twitter ${text} not null,
  github ${text} not null,
  "linkedIn" ${text} not null,
  "profileImage" ${text} references files(id) on delete set null,
  "createdAt" bigint not null,
  "updatedAt" bigint not null
);
create index profiles_picture on profiles ("profileImage");
create index profiles_name on profiles (lower("userName"), "userId");
create index profiles_order on profiles ("createdAt", "userId");

create table follows (
  "followerId" ${text} not null references users(id) on delete cascade,
  "followedId" ${text} not null references users(id) on delete cascade,
  "createdAt" bigint not null,
  id ${rowId},
  constraint follows_key primary key ("followerId", "followedId")
);
create index follows_of_followed on follows ("followedId", "followerId");
create unique index follows_id on follows (id);
create index follows_order on follows ("createdAt", id);
create index follows_of_one on follows ("followerId", "createdAt", id);

create table follow_counts (
  "userId" ${text} primary key references users(id) on delete cascade,
  followers integer not null,
  following integer not null
);

create table member_texts (
  number ${serial} primary key,
  "userId" ${text} not null unique references users(id) on delete cascade,
  text ${text} not null
);
create index member_texts_text on member_texts (text, number, "userId");

create table subscribers (
  email ${text} primary key,
  token ${text} not null unique,
  "createdAt" bigint not null,
  "confirmedAt" bigint
);
`;
