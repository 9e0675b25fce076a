import { NotAllowed } from "../refusals.ts";
import type { Member, Site } from "../site.ts";
import { accountTexts } from "./account.ts";

/**
 * Whatever the settings say: a passkey or authenticator that a stranger adds would survive the owner's confirmation. @throws NotAllowed.
 */
export async function requireConfirmedAddress(site: Site, viewer: Member): Promise<void> {
  const user = await site.db.selectFrom("users").select("emailVerified").where("id", "=", viewer.id).executeTakeFirst();
  if (!user?.emailVerified) throw new NotAllowed(accountTexts.confirmFirst);
}
