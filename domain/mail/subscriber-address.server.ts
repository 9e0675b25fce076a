import { createHmac } from "node:crypto";
import type { Site, SiteTransaction } from "../site.ts";

/** The same for each subscription of an address, so that the links of older newsletters work after subscribing again. */
export function subscriberToken({ secret }: Pick<Site, "secret">, email: string): string {
  return createHmac("sha256", secret).update(`newsletter:${email}`).digest().subarray(0, 24).toString("base64url");
}

/** After a member's address has changed, if they had confirmed `from`. The links in newsletters sent to `from` name no subscriber anymore. */
export async function moveSubscription(tx: SiteTransaction, { secret }: Pick<Site, "secret">, from: string, to: string): Promise<void> {
  const left = await tx.db
    .deleteFrom("subscribers")
    .where("email", "=", from)
    .where("confirmedAt", "is not", null)
    .returning("confirmedAt")
    .executeTakeFirst();
  if (!left) return;
  await tx.db
    .insertInto("subscribers")
    .values({ email: to, token: subscriberToken({ secret }, to), createdAt: tx.now(), confirmedAt: left.confirmedAt })
    .onConflict((conflict) =>
      conflict.column("email").doUpdateSet((eb) => ({
        confirmedAt: eb.fn.coalesce("subscribers.confirmedAt", "excluded.confirmedAt"),
      })),
    )
    .execute();
}
