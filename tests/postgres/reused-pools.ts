import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/**
 * A connection pool that the next world reuses, on a reused database. A new connection reads the catalogue and parses triggers at its first
 * statements, which costs PostgreSQL ten times as much as most tests' statements.
 */
type Kept = { options: string; pool: pg.Pool };

/** By database address, for reused databases only. */
const kept = new Map<string, Kept[]>();
const Pool = pg.Pool;

/** From now on, pools on this database are kept for reuse. */
export function reusePools(url: string): void {
  kept.set(url, []);
}

/** Server process ids of the kept connections. */
export function pooledProcessIds(url: string): number[] {
  return pools(url).flatMap(({ pool }) => clientsOf(pool).flatMap(({ processID }) => processID ?? []));
}

/** Closes the kept pools and keeps no more. */
export async function closePools(url: string): Promise<void> {
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

/** The world's view of a pool: `end` ends the view and may keep the connections. */
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
    pool.on("error", () => {}); // A test dropped its database or stopped its server.
    pools(this.#url).push(this.#kept);
  }
}

/** Statements that run when the world ends finish soon, or were lost. */
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
  // No idle limit, since the fake clock stands still between worlds; idle connections don't keep the process alive.
  const pool = new Pool({ ...options, idleTimeoutMillis: 0, allowExitOnIdle: true });
  return { options: JSON.stringify(options), pool };
}

function openPool(options: pg.PoolConfig = {}): pg.Pool {
  const url = options.connectionString;
  return url !== undefined && kept.has(url) ? (new LentPool(url, options) as unknown as pg.Pool) : new Pool(options);
}

// A constructor may return another object.
Object.assign(pg, {
  Pool: function PoolOrLent(options?: pg.PoolConfig) {
    return openPool(options);
  },
});
