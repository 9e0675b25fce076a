import { randomBytes } from "node:crypto";

/** One call for 256 ids: reading 4 random bytes costs as much as 1,000. */
const pooledCharacters = 7 * 256;
let pool = "";

/** Ids that the public API accepts: at most 36 letters, digits, periods, hyphens and underscores. */
export const apiIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/;

/** Hex milliseconds and 7 random hex digits: 18 characters, sortable by age (specification §7, Account). */
export function newId(now: number): string {
  if (pool === "") pool = randomBytes(pooledCharacters / 2).toString("hex");
  const random = pool.slice(0, 7);
  pool = pool.slice(7);
  return now.toString(16) + random;
}
