import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { ConfigError, commandLine } from "../config.ts";
import type { Log } from "../log.ts";
import { applyDefinitions, areDefinitionsCurrent } from "./definitions.ts";
import type { Engine } from "./engine.ts";
import { isLockTimeout, isUnreachable } from "./errors.ts";
import { accountSecurity } from "./migrations/0025-account-security.ts";
import { passwords } from "./migrations/0026-passwords.ts";
import { apiSecurity } from "./migrations/0027-api.ts";
import { staff } from "./migrations/0028-staff.ts";
import { files } from "./migrations/0029-files.ts";
import { evidence } from "./migrations/0030-evidence.ts";
import { definitions } from "./migrations/0031-definitions.ts";
import { publishedAt } from "./migrations/0032-published-at.ts";
import { withheldMessages } from "./migrations/0033-withheld-messages.ts";
import { reports } from "./migrations/0034-reports.ts";
import { outbox } from "./migrations/0035-outbox.ts";
import { newsletter } from "./migrations/0036-newsletter.ts";
import { notifications } from "./migrations/0037-notifications.ts";
import { storyEmails } from "./migrations/0038-story-emails.ts";
import { faults } from "./migrations/0039-faults.ts";
import { push } from "./migrations/0040-push.ts";
import { webhooks } from "./migrations/0041-webhooks.ts";
import { offsiteBackups } from "./migrations/0042-offsite-backups.ts";
import { undoneDecisions } from "./migrations/0043-undone-decisions.ts";
import { outboxExpiry } from "./migrations/0044-outbox-expiry.ts";
import { knownDevicesAge } from "./migrations/0045-known-devices-age.ts";
import { standardNames } from "./migrations/0046-standard-names.ts";
import { deletionCleanups } from "./migrations/0047-deletion-cleanups.ts";
import { postsAge } from "./migrations/0048-posts-age.ts";
import { postsByCreation } from "./migrations/0049-posts-by-creation.ts";
import { filesOfApi } from "./migrations/0050-files-of-api.ts";
import { finishedDrafts } from "./migrations/0051-finished-drafts.ts";
import { reportsOfErasedPosts } from "./migrations/0052-reports-of-erased-posts.ts";
import { adjustedLikesById } from "./migrations/0053-adjusted-likes-by-id.ts";
import { firstRelease } from "./migrations/first-release/0023-first-release.ts";
import { columnTypes, type Step } from "./migrations/step.ts";
import { type Database, type DatabaseConfig, type DatabaseTransaction, openForMigration } from "./open.ts";

/** In order. Released steps never change; add new ones at the end. */
const steps: Record<string, Step> = {
  "0023-first-release": firstRelease,
  "0025-account-security": accountSecurity,
  "0026-passwords": passwords,
  "0027-api": apiSecurity,
  "0028-staff": staff,
  "0029-files": files,
  "0030-evidence": evidence,
  "0031-definitions": definitions,
  "0032-published-at": publishedAt,
  "0033-withheld-messages": withheldMessages,
  "0034-reports": reports,
  "0035-outbox": outbox,
  "0036-newsletter": newsletter,
  "0037-notifications": notifications,
  "0038-story-emails": storyEmails,
  "0039-faults": faults,
  "0040-push": push,
  "0041-webhooks": webhooks,
  "0042-offsite-backups": offsiteBackups,
  "0043-undone-decisions": undoneDecisions,
  "0044-outbox-expiry": outboxExpiry,
  "0045-known-devices-age": knownDevicesAge,
  "0046-standard-names": standardNames,
  "0047-deletion-cleanups": deletionCleanups,
  "0048-posts-age": postsAge,
  "0049-posts-by-creation": postsByCreation,
  "0050-files-of-api": filesOfApi,
  "0051-finished-drafts": finishedDrafts,
  "0052-reports-of-erased-posts": reportsOfErasedPosts,
  "0053-adjusted-likes-by-id": adjustedLikesById,
};

export const migrationNames: readonly string[] = Object.keys(steps);

/** Among the migrations while `move-to-postgres` fills a database, so that no site starts on a part of the data. */
export const unfinishedMove = "unfinished move";

/** 0001 to 0023 were squashed into one for the first release. */
const [lastBeforeSquash, squashed] = ["0023-search-steps", "0023-first-release"];

export function currentMigrationNames(names: readonly string[]): readonly string[] {
  return names.includes(lastBeforeSquash) ? [squashed, ...names.filter((name) => name > lastBeforeSquash)] : names;
}

/** While a statement waits for a table that a backup reads, the site's other processes wait behind it. They get as long between tries. */
const lockTimeoutMs = 3_000;
const maxTries = 20;

/**
 * Migrates up to the step `last`, then applies the definitions if it is the latest. One process does it, in one transaction; others wait.
 * @returns what ran. @throws MigrationFailed, ConfigError during a move into the database
 */
export async function migrate(config: DatabaseConfig, last = migrationNames.at(-1) as string, log?: Log): Promise<string[]> {
  const { db, engine } = openForMigration(config);
  try {
    if (await isUpToDate(db, engine)) return [];
    for (let tries = 1; ; tries++) {
      const applied = await db
        .transaction()
        .execute((tx) => runMigrations(tx, engine, last))
        .catch(orLockTimeout);
      if (applied) return applied;
      if (tries === maxTries) throw new MigrationFailed("A running backup, or another program, uses tables that the migrations change.");
      log?.warn({ tries, maxTries }, "a running backup, or another program, uses tables that the migrations change; trying again");
      await wait(lockTimeoutMs);
    }
  } finally {
    await db.destroy();
  }
}

function orLockTimeout(error: Error): undefined {
  if (!isLockTimeout(error) && !isLockTimeout(error.cause)) throw error;
}

export async function isUpToDate(db: Database, engine: Engine): Promise<boolean> {
  try {
    return (await readNames(db)).join() === migrationNames.join() && (await areDefinitionsCurrent(db, engine));
  } catch (error) {
    if (isUnreachable(error)) throw error;
    return false; // There is no such table yet.
  }
}

/** For a database that isn't up to date: false if it is empty, or of a newer version. */
export async function isOutdated(db: Database): Promise<boolean> {
  const names = await readNames(db).catch((error: unknown) => {
    if (isUnreachable(error)) throw error;
    return [];
  });
  return names.length > 0 && currentMigrationNames(names).every((name) => migrationNames.includes(name));
}

async function readNames(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** A migration failed, and nothing was changed. */
export class MigrationFailed extends Error {}

/** Any number, the same in all processes. */
const lock = sql.lit(3_853_314_791);

async function runMigrations(tx: DatabaseTransaction, engine: Engine, last: string): Promise<string[]> {
  // On SQLite the transaction is exclusive.
  if (engine === "postgres") {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(tx);
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(tx);
  }
  const applied = await readAppliedNames(tx);
  if (applied.includes(unfinishedMove))
    throw new ConfigError(
      `the move into the database of DATABASE_URL isn't finished. Repeat ${commandLine("move-to-postgres")} with its options, ` +
        "or remove DATABASE_URL and use the site where it was.",
    );
  const unknown = [...applied, last].find((name) => !migrationNames.includes(name));
  if (unknown) throw new MigrationFailed(`This version doesn't know the migration ${unknown}.`);
  const missing = migrationNames.slice(0, migrationNames.indexOf(last) + 1).filter((name) => !applied.includes(name));
  for (const name of missing) {
    await steps[name]?.(tx as unknown as Kysely<unknown>, columnTypes(engine)).catch((error: Error) => {
      if (isUnreachable(error)) throw error;
      throw new MigrationFailed(`The migration ${name} failed: ${(error as Error).message}.`, { cause: error });
    });
    await sql`insert into migrations (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(tx);
  }
  if (applied.length + missing.length < migrationNames.length) return missing;
  return [...missing, ...(await applyDefinitions(tx, engine))];
}

async function readAppliedNames(tx: DatabaseTransaction): Promise<readonly string[]> {
  await sql`create table if not exists migrations
    (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(tx);
  const names = await readNames(tx);
  if (!names.includes(lastBeforeSquash)) return names;
  await sql`delete from migrations where name < ${lastBeforeSquash}`.execute(tx);
  await sql`update migrations set name = ${squashed} where name = ${lastBeforeSquash}`.execute(tx);
  return currentMigrationNames(names);
}
