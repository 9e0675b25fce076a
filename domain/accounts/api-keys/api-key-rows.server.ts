import type { SiteTransaction } from "#domain/site.ts";

export async function revokeApiKeys({ db }: SiteTransaction, userId: string): Promise<void> {
  await db.deleteFrom("api_keys").where("userId", "=", userId).execute();
}
