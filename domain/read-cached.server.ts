import { VersionedCache } from "#platform/database/version.ts";
import type { Site } from "./site.ts";

const values = new VersionedCache<unknown>("value");

/** Caches until the next commit of any process. Only for values that are the same for all viewers. */
export async function readCached<Value>(site: Site, key: string, make: () => Promise<Value>): Promise<Value> {
  const version = await site.versions.database().catch(() => undefined);
  const cached = values.get(site, key, version);
  if (cached !== undefined) return cached as Value;
  const value = await make();
  if (version) values.set(site, key, { version, value, bytes: 2 * JSON.stringify(value).length });
  return value;
}
