import { sql } from "kysely";
import { forgetRefusedEmail } from "../mail/refused-emails.server.ts";
import { subscriberToken } from "../mail/subscriber-address.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict } from "../refusals.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import { newsletterTexts } from "./newsletter.ts";
import { unsubscribe } from "./subscribers.server.ts";

/** False for an unconfirmed address: someone else may have subscribed it. */
export async function readOwnSubscription({ db }: Site, viewer: Viewer): Promise<boolean> {
  requirePermission(viewer, "change an account", viewer?.id);
  const row = await db
    .selectFrom("subscribers as s")
    .innerJoin("users as u", "u.email", "s.email")
    .select("s.confirmedAt")
    .where("u.id", "=", viewer.id)
    .where("u.emailVerified", "=", sql.lit(true))
    .where("s.email", "=", viewer.email)
    .executeTakeFirst();
  return row !== undefined && row.confirmedAt !== null;
}

/** No confirmation email: the account's address is already confirmed. @throws Conflict for an unconfirmed one. */
export async function setOwnSubscription(site: Site, viewer: Viewer, isSubscribed: boolean): Promise<void> {
  requirePermission(viewer, "change an account", viewer?.id);
  if (isSubscribed === (await readOwnSubscription(site, viewer))) return;
  const { email } = viewer;
  if (!isSubscribed) {
    const row = await site.db.selectFrom("subscribers").select("token").where("email", "=", email).executeTakeFirst();
    if (row) await unsubscribe(site, row.token);
    return;
  }
  await transaction(site, async (tx) => {
    const user = await tx.db.selectFrom("users").select(["email", "emailVerified"]).where("id", "=", viewer.id).executeTakeFirst();
    if (!user?.emailVerified || user.email !== email) throw new Conflict(newsletterTexts.confirmFirst);
    const confirmedAt = tx.now();
    await tx.db
      .insertInto("subscribers")
      .values({ email, token: subscriberToken(site, email), createdAt: confirmedAt, confirmedAt })
      .onConflict((conflict) => conflict.column("email").doUpdateSet({ confirmedAt }))
      .execute();
    await forgetRefusedEmail(tx.db, email);
  });
}
