import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/**
 * A pool that outlives the world that opened it, on a database that worlds give back. A new connection reads the catalogue and parses
 * triggers with its first statements, which costs PostgreSQL ten times as much as the statements of most tests.
 */
type Kept = { options: string; pool: pg.Pool };

/** By the address of their database. A database that isn't here keeps none. */
const kept = new Map<string, Kept[]>();
const Pool = pg.Pool;

/** From now on, pools on this database leave their connections to the next. */
export function keepPools(url: string): void {
  kept.set(url, []);
}

/** The processes at the other end of the connections that are kept. */
export function keptProcesses(url: string): number[] {
  return pools(url).flatMap(({ pool }) => clientsOf(pool).flatMap(({ processID }) => processID ?? []));
}

/** Ends what is kept, and keeps nothing more. */
export async function dropPools(url: string): Promise<void> {
  const ending = pools(url).map(({ pool }) => pool.end());
  kept.delete(url);
  await Promise.all(ending);
}

function pools(url: string): Kept[] {
  return kept.get(url) ?? [];
}

function clientsOf(pool: pg.Pool): { processID?: number }[] {
  return (pool as unknown as { _clients: { processID?: number }[] })._clients;
}

/** What a world sees of a pool: it ends with the world, its connections need not. */
class LentPool extends EventEmitter {
  readonly #url: string;
  readonly #kept: Kept;
  #ended = false;

  constructor(url: string, options: pg.PoolConfig) {
    super();
    this.#url = url;
    this.#kept = take(url, options);
    this.#kept.pool.on("error", (error) => void (this.listenerCount("error") > 0 && this.emit("error", error)));
    this.#kept.pool.on("connect", (client) => void this.emit("connect", client));
  }

  connect(): Promise<pg.PoolClient> {
    if (this.#ended) return Promise.reject(new Error("Cannot use a pool after calling end on the pool"));
    return this.#kept.pool.connect();
  }

  async end(): Promise<void> {
    this.#ended = true;
    const { pool } = this.#kept;
    if (!kept.has(this.#url) || !(await becomesIdle(pool))) return pool.end();
    pool.removeAllListeners();
    pool.on("error", () => {}); // Its database was dropped, or its server stopped, by a test.
    pools(this.#url).push(this.#kept);
  }
}

/** What was under way when the world ended is done soon, or was lost. */
async function becomesIdle(pool: pg.Pool): Promise<boolean> {
  const idleTimeoutMs = 2_000;
  for (const began = performance.now(); performance.now() - began < idleTimeoutMs; await wait(1)) {
    if (pool.idleCount === pool.totalCount && pool.waitingCount === 0) return true;
  }
  return false;
}

function take(url: string, options: pg.PoolConfig): Kept {
  const all = pools(url);
  const same = all.findIndex((each) => each.options === JSON.stringify(options));
  if (same >= 0) return all.splice(same, 1)[0] as Kept;
  // Without a limit on how long they idle: the clock stands still between worlds, and they don't keep the process from ending.
  const pool = new Pool({ ...options, idleTimeoutMillis: 0, allowExitOnIdle: true });
  return { options: JSON.stringify(options), pool };
}

function openPool(options: pg.PoolConfig = {}): pg.Pool {
  const url = options.connectionString;
  return url !== undefined && kept.has(url) ? (new LentPool(url, options) as unknown as pg.Pool) : new Pool(options);
}

// A constructor that returns an object makes that object.
Object.assign(pg, {
  Pool: function PoolOrLent(options?: pg.PoolConfig) {
    return openPool(options);
  },
});
