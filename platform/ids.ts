import { randomBytes } from "node:crypto";

/** Of ids, from one call: to ask the system for four bytes costs as much as for a thousand. */
const pooledCharacters = 7 * 256;
let pool = "";

/** Hex milliseconds, then 7 random hex characters: sorts by age, 18 characters long (specification §7, Account). */
export function newId(now: number): string {
  if (pool === "") pool = randomBytes(pooledCharacters / 2).toString("hex");
  const random = pool.slice(0, 7);
  pool = pool.slice(7);
  return now.toString(16) + random;
}
