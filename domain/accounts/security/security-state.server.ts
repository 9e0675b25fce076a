import { sql } from "kysely";
import { revokeApiKeys } from "#domain/accounts/api-keys/api-key-rows.server.ts";
import type { SiteTransaction } from "#domain/site.ts";
import { forUpdate } from "#platform/database/locks.ts";

/**
 * Raises the account's security epoch and ends what was handed out before it: sessions (but for `keepSession`), recovery links, API keys,
 * second-step challenges, trusted browsers and passkey challenges. Links and pending changes that carry an older epoch are void from then
 * on. Everything that makes an account its owner's again comes through here. @returns the new epoch.
 */
export async function resetSecurity(
  tx: SiteTransaction,
  userId: string,
  { keepSession = null }: { keepSession?: string | null } = {},
): Promise<number> {
  // First, so that whoever opens a session meanwhile waits, and reads the new epoch.
  const { securityEpoch } = await tx.db
    .updateTable("users")
    .set((eb) => ({ securityEpoch: eb("securityEpoch", "+", eb.lit(1)) }))
    .where("id", "=", userId)
    .returning("securityEpoch")
    .executeTakeFirstOrThrow();
  const sessions = tx.db.deleteFrom("sessions").where("userId", "=", userId);
  await (keepSession ? sessions.where("id", "<>", keepSession) : sessions).execute();
  await voidVerifications(tx, userId);
  await revokeApiKeys(tx, userId);
  return securityEpoch;
}

/**
 * Deletes what the accounts library keeps to recognise this person later. Most of it has the bare id for its value; a passkey's
 * challenge has JSON, which is read, so that an id that is part of another one takes nothing of anybody else's.
 */
export async function voidVerifications(tx: SiteTransaction, userId: string): Promise<void> {
  const beginning = sql<string>`substr(value, 1, 60)`;
  await tx.db.deleteFrom("verifications").where(beginning, "=", userId.slice(0, 60)).where("value", "=", userId).execute();
  const find = sql.raw(tx.engine === "sqlite" ? "instr" : "strpos");
  const owner = sql<string>`substr(value, ${find}(value, '"userData":{"id":"') + 18, 60)`;
  const challenges = await tx.db
    .selectFrom("verifications")
    .select(["id", "value"])
    // The sign after a quotation mark: everything that begins with the id and its end.
    .where(owner, ">=", `${userId}"`)
    .where(owner, "<", `${userId}#`)
    .execute();
  const own = challenges.filter(({ value }) => ownerOfChallenge(value) === userId).map(({ id }) => id);
  if (own.length > 0) await tx.db.deleteFrom("verifications").where("id", "in", own).execute();
}

function ownerOfChallenge(value: string): unknown {
  try {
    return (JSON.parse(value) as { userData?: { id?: unknown } }).userData?.id;
  } catch {
    return undefined;
  }
}

/**
 * The account's row, held until the transaction ends: nobody else raises its epoch or changes its address meanwhile. Undefined
 * where there is none.
 */
export async function holdAccount(tx: SiteTransaction, userId: string) {
  const row = tx.db
    .selectFrom("users")
    .select(["id", "name", "email", "emailVerified", "twoFactorEnabled", "securityEpoch"])
    .where("id", "=", userId);
  return forUpdate(tx, row).executeTakeFirst();
}
