import { randomBytes } from "node:crypto";
import pg from "pg";

export type TestDatabase = { url: string; name: string; drop(): Promise<void> };

const empty = "template0";

/** Creates a database on the test server: an empty one, or a copy of one without connections. */
export async function createDatabase(template = empty): Promise<TestDatabase> {
  const name = `${template === empty ? "inkstead_test" : template}_${randomBytes(8).toString("hex")}`;
  await onServer(`create database ${name} template ${template} strategy file_copy`);
  return { url: urlOf(name), name, drop: () => dropDatabase(name) };
}

/** Ends its connections first. */
export async function dropDatabase(name: string): Promise<void> {
  await onServer(`drop database if exists ${name} with (force)`);
}

/** Drops a template and all its copies. */
export async function dropWithCopies(template: string): Promise<void> {
  const { rows } = await onServer(`select datname as name from pg_database where starts_with(datname, '${template}')`);
  for (const { name } of rows) await dropDatabase(name);
}

/** Set by the runners. */
function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error("TEST_DATABASE_URL must name a PostgreSQL server on which databases may be made.");
  return url;
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}

let pool: pg.Pool | undefined;

/** One connection, which does not keep the process alive. */
function onServer(statement: string): Promise<pg.QueryResult<{ name: string }>> {
  pool ??= new pg.Pool({ connectionString: serverUrl(), max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  return pool.query(statement);
}
