import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/**
 * A connection pool that the next world reuses, on a reused database. A new connection reads the catalog and parses triggers at its first
 * statements, which costs PostgreSQL ten times as much as most tests' statements.
 */
type ReusedPool = { options: string; pool: pg.Pool };

/** By database address, for reused databases only. */
const reused = new Map<string, ReusedPool[]>();
const Pool = pg.Pool;

/** From now on, closed pools on this database are reused. */
export function reusePools(url: string): void {
  reused.set(url, []);
}

/** Server process ids of the open connections. */
export function pooledProcessIds(url: string): number[] {
  return pools(url).flatMap(({ pool }) => clientsOf(pool).flatMap(({ processID }) => processID ?? []));
}

/** Closes the pools and stops reusing them. */
export async function closePools(url: string): Promise<void> {
  const ending = pools(url).map(({ pool }) => pool.end());
  reused.delete(url);
  await Promise.all(ending);
}

function pools(url: string): ReusedPool[] {
  return reused.get(url) ?? [];
}

function clientsOf(pool: pg.Pool): { processID?: number }[] {
  return (pool as unknown as { _clients: { processID?: number }[] })._clients;
}

/** The world's view of a pool: `end` ends the view and may leave the connections open. */
class PoolView extends EventEmitter {
  readonly #url: string;
  readonly #reused: ReusedPool;
  #ended = false;

  constructor(url: string, options: pg.PoolConfig) {
    super();
    this.#url = url;
    this.#reused = takePool(url, options);
    this.#reused.pool.on("error", (error) => void (this.listenerCount("error") > 0 && this.emit("error", error)));
    this.#reused.pool.on("connect", (client) => void this.emit("connect", client));
  }

  connect(): Promise<pg.PoolClient> {
    if (this.#ended) return Promise.reject(new Error("Cannot use a pool after calling end on the pool"));
    return this.#reused.pool.connect();
  }

  async end(): Promise<void> {
    this.#ended = true;
    const { pool } = this.#reused;
    if (!reused.has(this.#url) || !(await becomesIdle(pool))) return pool.end();
    pool.removeAllListeners();
    pool.on("error", () => {}); // A test dropped its database or stopped its server.
    pools(this.#url).push(this.#reused);
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

function takePool(url: string, options: pg.PoolConfig): ReusedPool {
  const all = pools(url);
  const same = all.findIndex((each) => each.options === JSON.stringify(options));
  if (same >= 0) return all.splice(same, 1)[0] as ReusedPool;
  // No idle limit, since the fake clock stands still between worlds; idle connections don't keep the process alive. On a busy machine ten
  // new connections can take longer than the five seconds of a site.
  const pool = new Pool({ ...options, connectionTimeoutMillis: 60_000, idleTimeoutMillis: 0, allowExitOnIdle: true });
  return { options: JSON.stringify(options), pool };
}

function openPool(options: pg.PoolConfig = {}): pg.Pool {
  const url = options.connectionString;
  return url !== undefined && reused.has(url) ? (new PoolView(url, options) as unknown as pg.Pool) : new Pool(options);
}

// A constructor may return another object.
Object.assign(pg, {
  Pool: function PoolOrView(options?: pg.PoolConfig) {
    return openPool(options);
  },
});
