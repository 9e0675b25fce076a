import { record } from "../audit/audit.server.ts";
import { NotFound } from "../refusals.ts";
import { type Site, transaction } from "../site.ts";
import { tidyEmail } from "./account.ts";

/** Whether any account administers the site already, by grant or by ADMIN_EMAILS. */
export async function hasAdministrator(site: Site): Promise<boolean> {
  return (await listAdministrators(site)).some((each) => each.confirmed);
}

/** An account that administers the site, or will once its address is confirmed. */
export type Administrator = {
  name: string;
  email: string;
  confirmed: boolean;
  granted: boolean;
  /** On ADMIN_EMAILS. */
  listed: boolean;
};

/** Everybody who administers the site or will once the address is confirmed, by grant or by ADMIN_EMAILS. */
export async function listAdministrators(site: Site): Promise<Administrator[]> {
  const rows = await site.db
    .selectFrom("users as u")
    .leftJoin("administrators as a", "a.userId", "u.id")
    .select(["u.name", "u.email", "u.emailVerified", "a.userId as grantedTo"])
    .where((eb) => eb.or([eb("a.userId", "is not", null), ...(site.adminEmails.length > 0 ? [eb("u.email", "in", site.adminEmails)] : [])]))
    .orderBy("u.email")
    .execute();
  return rows.map(({ name, email, emailVerified, grantedTo }) => ({
    name,
    email,
    confirmed: emailVerified,
    granted: grantedTo !== null,
    listed: site.adminEmails.includes(email),
  }));
}

/** Makes the account an administrator; it counts once the address is confirmed. @throws NotFound. */
export async function grantAdministrator(site: Site, email: string): Promise<Administrator> {
  const { id, ...user } = await findAccount(site, email);
  await transaction(site, async (tx) => {
    const { numInsertedOrUpdatedRows: added } = await tx.db
      .insertInto("administrators")
      .values({ userId: id, createdAt: tx.now() })
      .onConflict((conflict) => conflict.column("userId").doNothing())
      .executeTakeFirstOrThrow();
    if (added) await record(tx, null, { action: "administrator.granted", subject: `user:${id}`, after: { email: user.email } });
  });
  return { ...user, granted: true };
}

/** Takes the grant back; a place on ADMIN_EMAILS stays (`listed`). @throws NotFound. */
export async function revokeAdministrator(site: Site, email: string): Promise<Administrator> {
  const { id, ...user } = await findAccount(site, email);
  await transaction(site, async (tx) => {
    const { numDeletedRows } = await tx.db.deleteFrom("administrators").where("userId", "=", id).executeTakeFirstOrThrow();
    if (numDeletedRows > 0n)
      await record(tx, null, { action: "administrator.revoked", subject: `user:${id}`, before: { email: user.email } });
  });
  return { ...user, granted: false };
}

/** The operator vouches that the address belongs to the account. @throws NotFound. */
export async function confirmAddressByHand(site: Site, email: string): Promise<Administrator> {
  const { id, ...user } = await findAccount(site, email);
  await transaction(site, async (tx) => {
    await tx.db.updateTable("users").set({ emailVerified: true }).where("id", "=", id).execute();
    if (!user.confirmed) await record(tx, null, { action: "address.confirmed", subject: `user:${id}`, after: { email: user.email } });
  });
  return { ...user, confirmed: true };
}

async function findAccount(site: Site, given: string) {
  const email = tidyEmail(given);
  const row = await site.db
    .selectFrom("users as u")
    .leftJoin("administrators as a", "a.userId", "u.id")
    .select(["u.id", "u.name", "u.emailVerified", "a.userId as grantedTo"])
    .where("u.email", "=", email)
    .executeTakeFirst();
  if (!row) throw new NotFound(`There is no account with the address ${email}.`);
  const { id, name, emailVerified, grantedTo } = row;
  return { id, name, email, confirmed: emailVerified, granted: grantedTo !== null, listed: site.adminEmails.includes(email) };
}
