import type { SiteTransaction } from "#domain/site.ts";

/** Makes all keys of an account void: its security is reset. */
export async function revokeApiKeys({ db }: SiteTransaction, userId: string): Promise<void> {
  await db.deleteFrom("api_keys").where("userId", "=", userId).execute();
}
