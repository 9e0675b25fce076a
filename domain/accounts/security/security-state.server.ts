import { sql } from "kysely";
import type { SiteTransaction } from "#domain/site.ts";
import { forUpdate } from "#platform/database/locks.ts";
import { parseJson } from "#platform/json.ts";

/**
 * Revokes everything issued so far: sessions (except `keepSession`), links, API keys, challenges and trusted browsers. @returns the new
 * security epoch, which voids signed links.
 */
export async function resetSecurity(
  tx: SiteTransaction,
  userId: string,
  { keepSession = null }: { keepSession?: string | null } = {},
): Promise<number> {
  // First: concurrent sign-ins wait for this row and then see the new epoch.
  const { securityEpoch } = await tx.db
    .updateTable("users")
    .set((eb) => ({ securityEpoch: eb("securityEpoch", "+", eb.lit(1)) }))
    .where("id", "=", userId)
    .returning("securityEpoch")
    .executeTakeFirstOrThrow();
  const sessions = tx.db.deleteFrom("sessions").where("userId", "=", userId);
  await (keepSession ? sessions.where("id", "<>", keepSession) : sessions).execute();
  await revokeVerifications(tx, userId);
  await tx.db.deleteFrom("api_keys").where("userId", "=", userId).execute();
  return securityEpoch;
}

/**
 * Most values are the bare user id. Passkey challenges are JSON, which is parsed, so that an id that is part of another one doesn't match.
 */
export async function revokeVerifications(tx: SiteTransaction, userId: string): Promise<void> {
  const beginning = sql<string>`substr(value, 1, 60)`;
  await tx.db.deleteFrom("verifications").where(beginning, "=", userId.slice(0, 60)).where("value", "=", userId).execute();
  const find = sql.raw(tx.engine === "sqlite" ? "instr" : "strpos");
  const owner = sql<string>`substr(value, ${find}(value, '"userData":{"id":"') + 18, 60)`;
  const challenges = await tx.db
    .selectFrom("verifications")
    .select(["id", "value"])
    // `#` follows `"` in code point order: matches the id and its closing quote.
    .where(owner, ">=", `${userId}"`)
    .where(owner, "<", `${userId}#`)
    .execute();
  const own = challenges.filter(({ value }) => ownerOfChallenge(value) === userId).map(({ id }) => id);
  if (own.length > 0) await tx.db.deleteFrom("verifications").where("id", "in", own).execute();
}

function ownerOfChallenge(value: string): unknown {
  return (parseJson(value) as { userData?: { id?: unknown } } | null | undefined)?.userData?.id;
}

/** Locks the account until the transaction ends. */
export async function lockAccount(tx: SiteTransaction, userId: string) {
  const row = tx.db
    .selectFrom("users")
    .select(["id", "name", "email", "emailVerified", "twoFactorEnabled", "securityEpoch"])
    .where("id", "=", userId);
  return forUpdate(tx, row).executeTakeFirst();
}
