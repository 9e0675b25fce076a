import { NotAllowed } from "../refusals.ts";
import type { Member, Site } from "../site.ts";
import { accountTexts } from "./account.ts";

/**
 * Lets pass whoever has confirmed the account's address, whether or not the site asks for that otherwise: a passkey or an authenticator app
 * that is added before would outlive the owner's coming. @throws NotAllowed.
 */
export async function requireConfirmedAddress(site: Site, viewer: Member): Promise<void> {
  const user = await site.db.selectFrom("users").select("emailVerified").where("id", "=", viewer.id).executeTakeFirst();
  if (!user?.emailVerified) throw new NotAllowed(accountTexts.confirmFirst);
}
