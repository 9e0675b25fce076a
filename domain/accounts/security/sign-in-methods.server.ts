import { signJWT, verifyJWT } from "better-auth/crypto";
import { accountTexts } from "#domain/accounts/account.ts";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import { type Passkey, readPasskeys } from "#domain/accounts/sign-in/passkey-reads.server.ts";
import { Invalid } from "#domain/refusals.ts";
import { type Site, type SiteTransaction, transaction } from "#domain/site.ts";
import type { Database } from "#platform/database/open.ts";
import { hours } from "#platform/time.ts";
import { recordSecurityEvent } from "./security-log.server.ts";
import { lockAccount } from "./security-state.server.ts";

export type SignInMethods = { passkeys: Passkey[]; authenticator: Authenticator | null };

/**
 * `removable`: added in the last 72 hours, so the owner of the address may remove it. An older one protects against a stolen mailbox.
 */
type Authenticator = { id: string; addedAt: number | null; removable: boolean };

const purpose = "review of what can sign in";
const reviewSeconds = 30 * 60;
export const removableForMs = hours(72);

export async function listSignInMethods(tx: { db: Database; now(): number }, userId: string): Promise<SignInMethods> {
  const app = await tx.db
    .selectFrom("two_factors as f")
    .innerJoin("users as u", "u.id", "f.userId")
    .select(["f.id", "f.confirmedAt"])
    .where("f.userId", "=", userId)
    .where("u.twoFactorEnabled", "=", true)
    .executeTakeFirst();
  const added = app?.confirmedAt ?? null;
  const removable = added !== null && added > tx.now() - removableForMs;
  return { passkeys: await readPasskeys(tx.db, userId), authenticator: app ? { id: app.id, addedAt: added, removable } : null };
}

export async function removeSignInMethods(
  tx: SiteTransaction,
  userId: string,
  which: "all" | { passkeys: string[]; authenticator: boolean },
): Promise<void> {
  const own = tx.db.deleteFrom("passkeys").where("userId", "=", userId);
  if (which === "all") await own.execute();
  else if (which.passkeys.length > 0) await own.where("id", "in", which.passkeys).execute();
  if (which !== "all" && !which.authenticator) return;
  await tx.db.deleteFrom("two_factors").where("userId", "=", userId).execute();
  await tx.db.updateTable("users").set({ twoFactorEnabled: false }).where("id", "=", userId).execute();
}

export function reviewToken(site: Site, { userId, epoch }: { userId: string; epoch: number }): Promise<string> {
  return signJWT({ purpose, userId, epoch }, site.secret, reviewSeconds);
}

/** Read-only. @returns null for an invalid, expired or superseded token. */
export async function readReview(site: Site, token: string): Promise<SignInMethods | null> {
  const userId = await findReviewer(site, token);
  return userId === null ? null : listSignInMethods(site, userId);
}

async function findReviewer(site: Site, token: string): Promise<string | null> {
  const payload = await verifyJWT(token, site.secret);
  if (payload?.purpose !== purpose || typeof payload.userId !== "string") return null;
  const user = await site.db.selectFrom("users").select("securityEpoch").where("id", "=", payload.userId).executeTakeFirst();
  return user && user.securityEpoch === payload.epoch ? payload.userId : null;
}

export type Decide = (id: string) => unknown;

export function undecided({ passkeys, authenticator }: SignInMethods): string[] {
  return [...passkeys.map(({ id }) => id), ...(authenticator?.removable ? ["authenticator"] : [])];
}

/** @throws Invalid if a method is undecided or the token is no longer valid. */
export async function reviewSignInMethods(site: Site, client: ClientInfo, token: string, decide: Decide): Promise<void> {
  const userId = await findReviewer(site, token);
  if (userId === null) throw new Invalid(accountTexts.linkUsedUp);
  await transaction(site, async (tx) => {
    await lockAccount(tx, userId);
    const required = undecided(await listSignInMethods(tx, userId));
    if (!required.every((id) => decide(id) === "keep" || decide(id) === "remove")) throw new Invalid("Choose Keep or Remove for each one.");
    const removed = required.filter((id) => decide(id) === "remove");
    const withApp = removed.includes("authenticator");
    await removeSignInMethods(tx, userId, { passkeys: removed.filter((id) => id !== "authenticator"), authenticator: withApp });
    for (const id of removed) {
      const kind = id === "authenticator" ? "authenticator-removed" : "passkey-removed";
      await recordSecurityEvent(tx, { userId, kind, origin: client });
    }
  });
}
