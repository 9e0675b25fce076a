import { fetchJson } from "#app/browser/fetch-json.ts";
import { readStored, store } from "#app/browser/stored.ts";
import type { HomeStats } from "#domain/pages/home.server.ts";
import { minutes } from "#platform/time.ts";

/** Specification §9. */
const statsMaxAgeMs = minutes(2);

const keyOf = (userId: string) => `home-stats:${userId}`;

type CachedStats = { at: number; stats: HomeStats };

function read(userId: string): CachedStats | null {
  return JSON.parse(readStored(keyOf(userId), "sessionStorage") ?? "null") as CachedStats | null;
}

function readCachedStats(userId: string): HomeStats | undefined {
  const remembered = read(userId);
  if (!remembered) return undefined;
  const age = Date.now() - remembered.at;
  return age >= 0 && age < statsMaxAgeMs ? remembered.stats : undefined;
}

/** Unchanged stats keep their time: showing cached stats must not renew them. */
export function cacheStats(userId: string, stats: HomeStats): void {
  if (JSON.stringify(read(userId)?.stats) !== JSON.stringify(stats)) storeStats(userId, stats);
}

function storeStats(userId: string, stats: HomeStats): void {
  store(keyOf(userId), JSON.stringify({ at: Date.now(), stats }), "sessionStorage");
}

export function forgetStats(userId: string): void {
  store(keyOf(userId), null, "sessionStorage");
}

/** Null when the server can’t be reached; the page then shows dashes. */
export async function loadStats(userId: string): Promise<HomeStats | null> {
  const remembered = readCachedStats(userId);
  if (remembered) return remembered;
  const stats = await fetchJson<HomeStats>("/home/figures").catch(() => null);
  if (stats) storeStats(userId, stats);
  return stats;
}
