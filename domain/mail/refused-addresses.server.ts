import type { Database } from "#platform/database/open.ts";

/** Emails to lists are sent to it again. For addresses that proved to work, or whose owner or staff ask for it. */
export async function forgetRefusedAddress(db: Database, address: string): Promise<void> {
  await db.deleteFrom("refused_addresses").where("address", "=", address).execute();
}
