import { randomBytes } from "node:crypto";

/** Hex milliseconds, then 7 random hex characters: sorts by age, 18 characters long (specification §7, Account). */
export function newId(now: number): string {
  return now.toString(16) + randomBytes(4).toString("hex").slice(0, 7);
}
