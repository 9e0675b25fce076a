import type { Site } from "#domain/site.ts";

/** The account of a pending second step, by the challenge cookie. The challenge's name is the secret. */
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
