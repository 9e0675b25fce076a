import { createHash, randomBytes } from "node:crypto";
import { normalizeEmail } from "#domain/accounts/account.ts";
import { recordSecurityEvent } from "#domain/accounts/security/security-log.server.ts";
import type { ClientInfo } from "#domain/accounts/sign-in/auth.server.ts";
import { requirePassword, requireSamePassword } from "#domain/accounts/sign-in/passwords.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { Conflict, Invalid, NotAllowed, NotFound } from "#domain/refusals.ts";
import { type Site, transaction, type Viewer } from "#domain/site.ts";
import { countRows } from "#platform/database/count-rows.ts";
import { newId } from "#platform/ids.ts";
import { days, minutes } from "#platform/time.ts";
import { type ApiKey, type ApiKeyScope, apiKeyDays, apiKeyScopes, apiKeysPerMember, apiKeyTexts, checkApiKeyName } from "./api-key.ts";

export type NewApiKey = { name: string; scopes: ApiKeyScope[]; days: number };

const useRecordIntervalMs = minutes(1);
const prefix = "ink_";

/** @returns the secret, of which only a hash is stored. @throws Invalid with the field, Conflict, TooMany, NotAllowed. */
export async function createApiKey(
  site: Site,
  viewer: Viewer,
  origin: ClientInfo | null,
  { password, ...newKey }: NewApiKey & { password: string },
): Promise<string> {
  requirePermission(viewer, "change an account", viewer?.id);
  validateNewKey(newKey);
  if (newKey.scopes.includes("moderate") && !viewer.staff) throw new NotAllowed(apiKeyTexts.staffOnly);
  const passwordHash = await requirePassword(site, viewer, password);
  return insertKey(site, { userId: viewer.id, origin, passwordHash }, newKey);
}

/** For the console: no password needed. @throws NotFound, Invalid, Conflict. */
export async function createApiKeyFor(site: Site, givenEmail: string, newKey: NewApiKey): Promise<{ name: string; secret: string }> {
  validateNewKey(newKey);
  const email = normalizeEmail(givenEmail);
  const user = await site.db.selectFrom("users").select(["id", "name"]).where("email", "=", email).executeTakeFirst();
  if (!user) throw new NotFound(`There’s no account with the email ${email}.`);
  return { name: user.name, secret: await insertKey(site, { userId: user.id, origin: null }, newKey) };
}

function validateNewKey({ name, scopes, days }: NewApiKey): void {
  const wrong = checkApiKeyName(name);
  if (wrong) throw new Invalid(wrong, "name");
  if (scopes.length === 0) throw new Invalid(apiKeyTexts.scopesRequired, "scopes");
  if (!(apiKeyDays as readonly number[]).includes(days)) throw new Invalid("Choose when the key expires", "days");
}

async function insertKey(
  site: Site,
  { userId, origin, passwordHash }: { userId: string; origin: ClientInfo | null; passwordHash?: string },
  { name, scopes, days: validDays }: NewApiKey,
): Promise<string> {
  const secret = `${prefix}${randomBytes(32).toString("base64url")}`;
  await transaction(site, async (tx) => {
    // Serializes concurrent requests, so that the count is correct.
    await tx.db.updateTable("users").set({ id: userId }).where("id", "=", userId).execute();
    if (passwordHash) await requireSamePassword(tx, userId, passwordHash);
    const count = await countRows(tx.db.selectFrom("api_keys").where("userId", "=", userId));
    if (count >= apiKeysPerMember) throw new Conflict(apiKeyTexts.tooMany);
    const now = tx.now();
    const dates = { createdAt: now, expiresAt: now + days(validDays), lastUsedAt: null };
    const ordered = apiKeyScopes.filter((scope) => scopes.includes(scope));
    const row = { id: newId(now), userId, name: name.trim(), scopes: ordered.join(), secretHash: hashOf(secret), ...dates };
    await tx.db.insertInto("api_keys").values(row).execute();
    await recordSecurityEvent(tx, { userId, kind: "api-key-created", origin });
  });
  return secret;
}

export async function listApiKeys(site: Site, viewer: Viewer): Promise<ApiKey[]> {
  requirePermission(viewer, "change an account", viewer?.id);
  const rows = await site.db
    .selectFrom("api_keys")
    .select(["id", "name", "scopes", "createdAt", "expiresAt", "lastUsedAt"])
    .where("userId", "=", viewer.id)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({ ...row, scopes: scopesOf(row.scopes) }));
}

export async function revokeApiKey(site: Site, viewer: Viewer, origin: ClientInfo | null, id: string): Promise<void> {
  requirePermission(viewer, "change an account", viewer?.id);
  await transaction(site, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom("api_keys")
      .where("id", "=", id)
      .where("userId", "=", viewer.id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await recordSecurityEvent(tx, { userId: viewer.id, kind: "api-key-revoked", origin });
  });
}

/** Also records its use. @returns undefined for an unknown, revoked or expired key. */
export async function authenticateApiKey(site: Site, secret: string): Promise<{ userId: string; scopes: ApiKeyScope[] } | undefined> {
  if (!secret.startsWith(prefix) || secret.length > 100) return undefined;
  const key = await site.db
    .selectFrom("api_keys")
    .select(["id", "userId", "scopes", "expiresAt", "lastUsedAt"])
    .where("secretHash", "=", hashOf(secret))
    .executeTakeFirst();
  const now = site.now();
  if (!key || key.expiresAt <= now) return undefined;
  if (key.lastUsedAt === null || key.lastUsedAt <= now - useRecordIntervalMs) await recordUse(site, key.id, now);
  return { userId: key.userId, scopes: scopesOf(key.scopes) };
}

async function recordUse({ db, log }: Site, id: string, now: number): Promise<void> {
  const noting = db.updateTable("api_keys").set({ lastUsedAt: now }).where("id", "=", id).execute();
  await noting.catch((err: unknown) => log.warn({ err }, "the use of a key was not recorded"));
}

function scopesOf(text: string): ApiKeyScope[] {
  return apiKeyScopes.filter((scope) => text.split(",").includes(scope));
}

/** One round suffices: the secret has 256 random bits. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
