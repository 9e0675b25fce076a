import { setTimeout as wait } from "node:timers/promises";
import { quote } from "#platform/copy/columns.ts";
import type { RunQuery } from "#platform/copy/postgres-tables.ts";
import { listenerName } from "#platform/events/postgres-listener.ts";

/** Milliseconds: a site that was just stopped may still have sessions. */
const stopTimeoutMs = 2_000;

/** On the database of this connection. */
export async function isSiteRunning(query: RunQuery): Promise<boolean> {
  for (const deadline = performance.now() + stopTimeoutMs; ; await wait(100)) {
    const sessions = await query(
      "select from pg_stat_activity where datname = current_database() and application_name in ('inkstead', $1) and pid <> pg_backend_pid()",
      [listenerName],
    );
    if (sessions.length === 0) return false;
    if (performance.now() > deadline) return true;
  }
}

/** Not done by a command, because the tables of a site can't be told from an operator's own. */
export async function newDatabaseCommands(query: RunQuery): Promise<string> {
  const [row] = await query("select current_database() as name, current_user as owner");
  const [name, owner] = [String(row?.name), String(row?.owner)];
  return `As PostgreSQL's administrator, for example with sudo -u postgres psql, rename the database and create an empty one:
  alter database ${quote(name)} rename to ${quote(`${name}_old`)};
  create database ${quote(name)} owner ${quote(owner)} encoding 'UTF8' template template0;`;
}
