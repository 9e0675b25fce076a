import type { Types } from "./types.ts";

/** Settings, events, uptime and maintenance runs. */
export const site = ({ engine, text, serial }: Types) => {
  const order = engine === "sqlite" ? "number" : "transaction, number";
  return `
create table settings (
  name ${text} not null primary key,
  -- JSON; a setting without a row has its default.
  value ${text} not null
);

create table page_texts (
  path ${text} not null primary key,
  title ${text} not null,
  lead ${text} not null,
  markdown ${text} not null,
  content ${text} not null,
  version bigint not null,
  "updatedAt" bigint not null
);

create table events (
  -- Never reused, even after all rows were removed: browsers store it as their position.
  number ${serial} primary key${engine === "sqlite" ? " autoincrement" : ""},
  topic ${text} not null,
  type ${text} not null,
  data ${text} not null,
  "createdAt" bigint not null${engine === "sqlite" ? "" : ", transaction xid8 not null default pg_current_xact_id()"}
);
create index events_topic on events (topic, ${order});
create index events_age on events ("createdAt");
${engine === "sqlite" ? "" : `create index events_order on events (${order});`}

-- Minutes since 1970 in which a process of the site ran.
create table uptime (
  minute integer not null primary key
);

create table upkeep_runs (
  id ${text} primary key,
  kind ${text} not null,
  -- Its trigger: the schedule, the console or an administrator.
  cause ${text} not null,
  "userId" ${text} references users(id) on delete set null,
  state ${text} not null,
  phase ${text} not null,
  done bigint not null,
  total bigint not null,
  -- Its machine, and the archive's name there.
  host ${text} not null,
  archive ${text},
  size bigint,
  -- JSON: the findings.
  report ${text},
  "startedAt" bigint not null,
  "finishedAt" bigint
);
create index upkeep_runs_newest on upkeep_runs (kind, "startedAt", id);

create table jobs (
  name ${text} not null primary key,
  -- The process that holds the lock until heldUntil, in milliseconds, unless extended.
  holder ${text} not null,
  "heldUntil" bigint not null,
  "dueAt" bigint not null
);
`;
};
