import { randomBytes } from "node:crypto";
import pg from "pg";

/** A database that a test has to itself. */
export type TestDatabase = { url: string; name: string; drop(): Promise<void> };

const empty = "template0";

/** Makes a database on the test server: an empty one, or the copy of another that nobody is connected to. */
export async function createDatabase(template = empty): Promise<TestDatabase> {
  const name = `${template === empty ? "inkstead_test" : template}_${randomBytes(8).toString("hex")}`;
  await onServer(`create database ${name} template ${template} strategy file_copy`);
  return { url: urlOf(name), name, drop: () => dropDatabase(name) };
}

/** Also when somebody is connected to it still. */
export async function dropDatabase(name: string): Promise<void> {
  await onServer(`drop database if exists ${name} with (force)`);
}

/** A template, and every copy of it that is left. */
export async function dropWithCopies(template: string): Promise<void> {
  const { rows } = await onServer(`select datname as name from pg_database where starts_with(datname, '${template}')`);
  for (const { name } of rows) await dropDatabase(name);
}

/** `TEST_DATABASE_URL`, which the start of each runner sets. */
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

/** One after the other on one connection, which does not keep a process from ending. */
function onServer(statement: string): Promise<pg.QueryResult<{ name: string }>> {
  pool ??= new pg.Pool({ connectionString: serverUrl(), max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  return pool.query(statement);
}
