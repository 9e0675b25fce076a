import { setImmediate } from "node:timers/promises";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { BoundedMap } from "../memory.ts";
import { coalesceCalls } from "../queues/coalesce-calls.ts";
import { CacheInvalidation } from "./cache-invalidation.ts";
import type { Engine } from "./engine.ts";
import type { Database } from "./open.ts";

export type Versions = {
  /** Equal answers mean that nothing was committed in between, by any process. */
  database(): Promise<string>;
  /** Like `database`, but on SQLite ignores this process's attempts, sessions and security log, which no public page shows. */
  content(): Promise<string>;
  /** Stays the same while no row of a session may have changed. Undefined where that isn't known: on PostgreSQL. */
  sessions(): string | undefined;
  cacheInvalidation: CacheInvalidation;
};

const expressions: Record<Engine, string> = {
  // `data_version` counts other connections' commits since it was opened; the reader is reopened now and then.
  sqlite: "(select cast(reader_number() as integer) || '-' || data_version from pragma_data_version)",
  // Includes running transactions, so that it also changes when one ends.
  postgres: "pg_current_snapshot()::text",
};

export function versionColumn(engine: Engine): RawBuilder<string> {
  return sql.raw<string>(expressions[engine]);
}

export function openVersions(db: Database, engine: Engine, cacheInvalidation = new CacheInvalidation()): Versions {
  const reader = (expression: string) => {
    const query = CompiledQuery.raw(`select ${expression} as version`) as CompiledQuery<{ version: string }>;
    return oncePerTurn(coalesceCalls(async () => (await db.executeQuery(query)).rows[0]?.version ?? ""));
  };
  const database = reader(expressions[engine]);
  const content = engine === "sqlite" ? reader("content_version()") : database;
  return { database, content, sessions: () => cacheInvalidation.sessionVersion(), cacheInvalidation };
}

/** All callers in a turn of the event loop share one query, which runs after the last of them: it takes file locks on SQLite. */
function oncePerTurn(read: () => Promise<string>): () => Promise<string> {
  let waiting: Promise<string> | undefined;
  const readForAll = () => {
    waiting = undefined;
    return read();
  };
  return () => {
    waiting ??= setImmediate().then(readForAll);
    return waiting;
  };
}

/** The parts of a site that cached values depend on. */
type Versioned = {
  versions: Versions;
  settings: object;
  memory: { versionedCache: BoundedMap<string, { version: string; value: unknown }> };
};

/** Overhead of an entry, besides two bytes for each character of its key. */
const entryBytes = 500;

/** Caches values of one kind until the next commit of any process. All kinds share the bytes of `site.memory.versionedCache`. */
export class VersionedCache<Value> {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Whether it holds an entry of any version; if not, the version need not be read. */
  has({ memory }: Versioned, key: string): boolean {
    return memory.versionedCache.has(`${this.#kind} ${key}`);
  }

  get({ memory }: Versioned, key: string, version: string | undefined): Value | undefined {
    const found = memory.versionedCache.get(`${this.#kind} ${key}`);
    return found?.version === version ? (found?.value as Value | undefined) : undefined;
  }

  /** @param bytes - without the key. */
  set({ memory }: Versioned, key: string, { version, value, bytes }: { version: string; value: Value; bytes: number }): void {
    const name = `${this.#kind} ${key}`;
    memory.versionedCache.set(name, { version, value }, bytes + 2 * name.length + entryBytes);
  }
}

/** Changes with the database and the settings. Undefined during an outage. @param known - the database version, if known */
export async function siteVersion({ versions, settings }: Versioned, known?: string): Promise<string | undefined> {
  return withSettings(settings, known ?? (await versions.database().catch(() => undefined)));
}

export async function pageVersion({ versions, settings }: Versioned): Promise<string | undefined> {
  return withSettings(settings, await versions.content().catch(() => undefined));
}

function withSettings(settings: object, version: string | undefined): string | undefined {
  return version && `${version} ${JSON.stringify(settings)}`;
}
