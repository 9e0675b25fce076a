import type { Types } from "./types.ts";

/** Decisions of administrators and rules; reports and the audit log. */
export const moderation = ({ serial, text }: Types) => `
create table acts (
  number ${serial} primary key,
  id ${text} not null unique,
  kind ${text} not null,
  -- As in the audit log: post:night-bus, user:19d….
  subject ${text} not null,
  -- Its name at that time.
  title ${text} not null,
  -- The affected member.
  "memberId" ${text} not null references users(id) on delete cascade,
  "moderatorId" ${text} references users(id) on delete set null,
  "moderatorName" ${text} not null,
  -- The rule that decided, if any.
  "ruleId" ${text},
  reason ${text} not null,
  -- JSON: the state that undoing restores.
  before ${text} not null,
  -- Shared by all decisions of one bulk action.
  "batchId" ${text},
  "createdAt" bigint not null,
  -- End of a suspension; of a deletion, when the story is deleted permanently.
  "endsAt" bigint,
  "undoneAt" bigint,
  "seenAt" bigint
);
create index acts_member on acts ("memberId", number);
create index acts_subject on acts (subject, number);
create index acts_batch on acts ("batchId") where "batchId" is not null;
create index acts_end on acts (kind, "endsAt") where "undoneAt" is null;

create table suspensions (
  "userId" ${text} primary key references users(id) on delete cascade,
  "actId" ${text} not null references acts(id) on delete cascade,
  until bigint not null
);
create index suspensions_end on suspensions (until);

create table rules (
  number ${serial} primary key,
  id ${text} not null unique,
  outcome ${text} not null,
  -- JSON, in the vocabulary of domain/rules/rule.ts.
  conditions ${text} not null,
  -- The text for the author of a held story.
  message ${text} not null,
  enabled boolean not null,
  "createdAt" bigint not null,
  "updatedAt" bigint not null
);

create table reports (
  number ${serial} primary key,
  id ${text} not null unique,
  kind ${text} not null,
  "subjectId" ${text} not null,
  -- The owner of the reported item.
  "ownerId" ${text} references users(id) on delete set null,
  "reporterId" ${text} references users(id) on delete set null,
  reason ${text} not null,
  note ${text} not null,
  -- Its content at the time of the report.
  excerpt ${text} not null,
  status ${text} not null,
  "createdAt" bigint not null,
  "updatedAt" bigint not null,
  answer ${text} not null default ''
);
create unique index reports_once on reports (kind, "subjectId", "reporterId") where status = 'pending';
create index reports_status on reports (status, number);
create index reports_owner on reports ("ownerId");
create index reports_reporter on reports ("reporterId");
create index reports_subject on reports (kind, "subjectId", number);

create table report_counts (
  status ${text} not null primary key,
  count integer not null
);

create table audit_log (
  number ${serial} primary key,
  -- Null for the console. The name outlives the account.
  "userId" ${text} references users(id) on delete set null,
  "userName" ${text} not null,
  action ${text} not null,
  subject ${text} not null,
  before ${text},
  after ${text},
  "createdAt" bigint not null,
  "actId" ${text}
);
create index "audit_log_userId" on audit_log ("userId", number);
create index audit_log_action on audit_log (action, number);
create index audit_log_subject on audit_log (subject, number);
`;
