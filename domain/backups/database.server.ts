import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { commandLine } from "#platform/config.ts";
import { programVersion } from "#platform/program.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { readCounters } from "../counters/counters.server.ts";
import { requirePermission } from "../permissions.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import type { Check, CheckReport } from "./backup.ts";
import { endRun, listRuns, runAndRecord, startRun } from "./runs.server.ts";

/** `exact`: from the site's counters; otherwise the engine's estimate. */
type TableRows = { name: string; rows: number; exact: boolean };

export type DatabaseFacts = {
  program: string;
  engine: "SQLite" | "PostgreSQL";
  version: string;
  size: number;
  tables: TableRows[];
  migrations: { name: string; at: number }[];
};

export async function readDatabase(site: Site, viewer: Viewer): Promise<DatabaseFacts> {
  requirePermission(viewer, "see the database");
  const [facts, measured, counted, migrations] = await Promise.all([
    site.engine === "sqlite" ? factsOfSqlite(site) : factsOfPostgres(site),
    site.engine === "sqlite" ? estimateSizesOnSqlite(site) : estimateSizesOnPostgres(site),
    countedTables(site),
    readMigrations(site),
  ]);
  const tables = measured.map(({ name, rows }) => {
    const exact = counted[name];
    return exact === undefined ? { name, rows: Math.max(0, Number(rows)), exact: false } : { name, rows: exact, exact: true };
  });
  return { ...facts, program: programVersion, tables, migrations };
}

async function countedTables(site: Site): Promise<Record<string, number>> {
  const { members, published, drafts, likes, bookmarks, messages } = await readCounters(site);
  return { users: members, posts: published + drafts, rankings: published, likes, bookmarks, messages };
}

async function readMigrations({ db }: Site) {
  const { rows } = await sql<{ name: string; timestamp: string }>`select name, timestamp from migrations order by name`.execute(db);
  return rows.map(({ name, timestamp }) => ({ name, at: new Date(timestamp).getTime() }));
}

async function factsOfSqlite({ db, storageConfig }: Site): Promise<Pick<DatabaseFacts, "engine" | "version" | "size">> {
  const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db);
  const files = ["inkstead.db", "inkstead.db-wal"].map((name) =>
    stat(join(storageConfig.dataDir, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  const sizes = await Promise.all(files);
  return { engine: "SQLite", version: rows[0]?.version ?? "", size: sizes.reduce((sum, size) => sum + size, 0) };
}

async function factsOfPostgres({ db }: Site): Promise<Pick<DatabaseFacts, "engine" | "version" | "size">> {
  const { rows } = await sql<{ version: string; size: number }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size`.execute(db);
  return { engine: "PostgreSQL", version: rows[0]?.version ?? "", size: Number(rows[0]?.size ?? 0) };
}

type TableSize = { name: string; rows: number };

async function estimateSizesOnSqlite({ db }: Site): Promise<TableSize[]> {
  const { rows: known } = await sql<{ name: string }>`select name from sqlite_schema where name = 'sqlite_stat1'`.execute(db);
  const measured = known.length > 0 ? sql`(select max(cast(stat as integer)) from sqlite_stat1 where tbl = t.name)` : sql`0`;
  const { rows } = await sql<TableSize>`
    select t.name, coalesce(${measured}, 0) as rows from pragma_table_list t
    where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' and t.name not in ('migrations', 'definitions') order by t.name`.execute(
    db,
  );
  return rows;
}

async function estimateSizesOnPostgres({ db }: Site): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select relname as name, greatest(reltuples, 0)::bigint as rows from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname not in ('migrations', 'definitions') order by relname`.execute(
    db,
  );
  return rows;
}

export async function startCheck(site: Site, viewer: Viewer): Promise<void> {
  requirePermission(viewer, "see the database");
  const id = await startRun(site, "check", { cause: "administrator", userId: viewer.id });
  await transaction(site, (tx) => recordAudit(tx, viewer, { action: "database.checked", subject: `check:${id}` }));
  void finishCheck(site, id).catch((err) => site.log.error({ err }, "the database could not be checked"));
}

async function finishCheck(site: Site, id: string): Promise<void> {
  try {
    const { report } = await runAndRecord(site, id, { kind: "check", storageConfig: site.storageConfig });
    await endRun(site, id, { state: "good", report });
    if (report.problems.length > 0) site.log.error({ problems: report.problems }, "the database check found problems");
    await site.db.deleteFrom("backup_runs").where("kind", "=", "check").where("id", "<>", id).execute();
  } catch (error) {
    await endRun(site, id, { state: "failed", report: { error: (error as Error).message } });
    throw error;
  }
}

export async function readCheck(site: Site, viewer: Viewer): Promise<Check | null> {
  requirePermission(viewer, "see the database");
  const [check] = await listRuns<CheckReport>(site, "check", 1);
  return check ?? null;
}

/** For members whose authenticator was set up under another SECRET. */
export function removeSecondStepCommand(): string {
  return commandLine("admin", "remove-second-step EMAIL");
}
