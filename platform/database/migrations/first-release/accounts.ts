import type { Types } from "./types.ts";

/** Sign-in data, under Better Auth's field names, and account details. */
export const accounts = ({ text, date }: Types) => `
create table users (
  id ${text} primary key,
  name ${text} not null,
  email ${text} not null unique,
  "emailVerified" boolean not null,
  image ${text},
  "createdAt" ${date} not null,
  "updatedAt" ${date} not null,
  "twoFactorEnabled" boolean
);
create index users_newest on users ("createdAt", id);

create table sessions (
  id ${text} primary key,
  "userId" ${text} not null references users(id) on delete cascade,
  token ${text} not null unique,
  "expiresAt" ${date} not null,
  "ipAddress" ${text},
  "userAgent" ${text},
  "createdAt" ${date} not null,
  "updatedAt" ${date} not null
);
create index sessions_user on sessions ("userId");

create table accounts (
  id ${text} primary key,
  "userId" ${text} not null references users(id) on delete cascade,
  "accountId" ${text} not null,
  "providerId" ${text} not null,
  "accessToken" ${text},
  "refreshToken" ${text},
  "idToken" ${text},
  "accessTokenExpiresAt" ${date},
  "refreshTokenExpiresAt" ${date},
  scope ${text},
  password ${text},
  "createdAt" ${date} not null,
  "updatedAt" ${date} not null
);
create index accounts_user on accounts ("userId");

create table verifications (
  id ${text} primary key,
  identifier ${text} not null,
  value ${text} not null,
  "expiresAt" ${date} not null,
  "createdAt" ${date} not null,
  "updatedAt" ${date} not null
);
create index verifications_identifier on verifications (identifier);

create table two_factors (
  id ${text} primary key,
  "userId" ${text} not null references users(id) on delete cascade,
  secret ${text} not null,
  "backupCodes" ${text} not null,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" ${date}
);
create index two_factors_user on two_factors ("userId");

create table passkeys (
  id ${text} primary key,
  "userId" ${text} not null references users(id) on delete cascade,
  name ${text},
  "publicKey" ${text} not null,
  "credentialID" ${text} not null unique,
  counter integer not null,
  "deviceType" ${text} not null,
  "backedUp" boolean not null,
  transports ${text},
  "createdAt" ${date},
  aaguid ${text}
);
create index passkeys_user on passkeys ("userId");

create table administrators (
  "userId" ${text} primary key references users(id) on delete cascade,
  "createdAt" bigint not null
);

create table attempts (
  key ${text} primary key,
  count integer not null,
  "endsAt" bigint not null
);
create index attempts_end on attempts ("endsAt");

-- Only the id, so that the profile's address answers 410.
create table departed (
  "userId" ${text} primary key,
  "leftAt" bigint not null
);

create table preferences (
  "userId" ${text} primary key references users(id) on delete cascade,
  prefs ${text} not null,
  "updatedAt" bigint not null
);

-- Members without a row get all.
create table letter_choices (
  "userId" ${text} primary key references users(id) on delete cascade,
  messages boolean not null,
  followers boolean not null
);
`;
