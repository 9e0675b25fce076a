import type { Site } from "#domain/site.ts";

/**
 * Whose second step a browser is taking, by the cookie that the first one left, and the account's security epoch; null where there
 * is none. The challenge's name is the secret: nobody can guess one.
 */
export async function challengedAccount(site: Site, cookies: string | null | undefined): Promise<{ userId: string; epoch: number } | null> {
  const value = /(?:^|;\s*)[\w.-]*\btwo_factor=([^;]+)/.exec(cookies ?? "")?.[1];
  const challenge = value && /^(2fa-\w+)\./.exec(value)?.[1];
  if (!challenge) return null;
  const { internalAdapter } = await site.auth.$context;
  const kept = await internalAdapter.findVerificationValue(challenge);
  if (!kept) return null;
  const user = await site.db.selectFrom("users").select("securityEpoch").where("id", "=", kept.value).executeTakeFirst();
  return user ? { userId: kept.value, epoch: user.securityEpoch } : null;
}
