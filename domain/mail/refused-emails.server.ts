import type { Database } from "#platform/database/open.ts";

/** Emails to lists are sent to it again. For addresses that proved to work, or whose owner or staff ask for it. */
export async function forgetRefusedEmail(db: Database, email: string): Promise<void> {
  await db.deleteFrom("refused_addresses").where("address", "=", email).execute();
}
