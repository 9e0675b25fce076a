import { createHmac } from "node:crypto";
import { Invalid } from "#domain/refusals.ts";
import type { Site, SiteTransaction } from "#domain/site.ts";

function fingerprint({ secret }: Pick<Site, "secret">, email: string): string {
  const [local = "", host = ""] = email.trim().toLowerCase().split("@");
  return createHmac("sha256", secret)
    .update(`barred ${local.replace(/\+.*$/, "")}@${host}`)
    .digest("hex");
}

export async function barIfSuspended(site: Pick<Site, "secret">, tx: SiteTransaction, of: { id: string; email: string }): Promise<void> {
  const suspension = await tx.db
    .selectFrom("suspensions")
    .select("until")
    .where("userId", "=", of.id)
    .where("until", ">", tx.now())
    .executeTakeFirst();
  if (!suspension) return;
  const { until } = suspension;
  await tx.db
    .insertInto("barred_addresses")
    .values({ fingerprint: fingerprint(site, of.email), until })
    .onConflict((conflict) => conflict.column("fingerprint").doUpdateSet({ until }))
    .execute();
}

/** @throws Invalid for `email` if its account was deleted during a suspension that hasn't ended. */
export async function requireNotBarred(site: Site, email: string): Promise<void> {
  const barred = site.db.selectFrom("barred_addresses").select("until").where("fingerprint", "=", fingerprint(site, email));
  if (await barred.where("until", ">", site.now()).executeTakeFirst())
    throw new Invalid("An account with this email was deleted while suspended. You can sign up again when that suspension ends.", "email");
}
