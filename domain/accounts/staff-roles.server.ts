import { findAdministrators, findStaff, grantedRole, hasSecondStep } from "#domain/staff/staff.server.ts";
import { forUpdate } from "#platform/database/locks.ts";
import { type Actor, recordAudit } from "../audit/audit.server.ts";
import { plainEmail } from "../mail/plain-email.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, NotFound } from "../refusals.ts";
import { type Site, type SiteTransaction, type StaffRole, transaction, type Viewer } from "../site.ts";
import { normalizeEmail } from "./account.ts";
import { greeting } from "./emails.ts";

export async function hasAdministrator(site: Site): Promise<boolean> {
  return (await listStaff(site)).some(({ confirmed, role }) => confirmed && role === "administrator");
}

export type StaffMember = {
  name: string;
  email: string;
  confirmed: boolean;
  role: StaffRole | null;
  secondStep: boolean;
  granted: boolean;
  listed: boolean;
};

export async function listStaff(site: Site): Promise<StaffMember[]> {
  const rows = await findStaff(site)
    .select(["u.name", "u.email", "u.emailVerified", "a.role"])
    .select((eb) => eb.case().when(hasSecondStep(eb)).then(1).else(0).end().as("secondStep"))
    .orderBy("u.email")
    .execute();
  return rows.map((row) => staffMemberOf(site, row));
}

export async function readStaff(site: Site, viewer: Viewer): Promise<StaffMember[]> {
  requirePermission(viewer, "see settings");
  return listStaff(site);
}

type Row = { name: string; email: string; emailVerified: boolean; role: string | null; secondStep: number };

function staffMemberOf(site: Site, { name, email, emailVerified, role, secondStep }: Row): StaffMember {
  const listed = site.adminEmails.includes(email);
  const granted = { name, email, confirmed: emailVerified, secondStep: secondStep === 1, granted: role !== null, listed };
  return { ...granted, role: grantedRole(site, { email, role }) };
}

/**
 * Takes effect once the address is confirmed. A null viewer is the console. @throws NotFound; Conflict if no administrator would remain.
 */
export async function grantRole(site: Site, viewer: Viewer, email: string, role: StaffRole, actor: Actor = viewer): Promise<StaffMember> {
  if (viewer) requirePermission(viewer, "grant roles");
  const { id, ...user } = await findAccount(site, email);
  await transaction(site, async (tx) => {
    const rows = await lockRoles(tx);
    const before = rows.find(({ userId }) => userId === id)?.role ?? null;
    if (before === role) return;
    if (viewer && before === "administrator") await requireAnotherAdministrator(site, tx, id);
    await tx.db
      .insertInto("administrators")
      .values({ userId: id, role, createdAt: tx.now() })
      .onConflict((conflict) => conflict.column("userId").doUpdateSet({ role }))
      .execute();
    const done = { action: `${role}.granted` as const, subject: `user:${id}`, after: { email: user.email } };
    await recordAudit(tx, actor, { ...done, before: before ? { role: before } : null });
    await emailRoleChange(tx, { id, ...user }, role);
  });
  return { ...user, role: user.listed ? "administrator" : role, granted: true };
}

/** ADMIN_EMAILS still applies (`listed`). A null viewer is the console and may remove the last one. @throws NotFound, Conflict. */
export async function revokeRole(site: Site, viewer: Viewer, email: string): Promise<StaffMember> {
  if (viewer) requirePermission(viewer, "grant roles");
  const { id, ...user } = await findAccount(site, email);
  await transaction(site, async (tx) => {
    const role = (await lockRoles(tx)).find(({ userId }) => userId === id)?.role as StaffRole | undefined;
    if (!role) return;
    if (viewer && role === "administrator") await requireAnotherAdministrator(site, tx, id);
    await tx.db.deleteFrom("administrators").where("userId", "=", id).execute();
    await recordAudit(tx, viewer, { action: `${role}.revoked`, subject: `user:${id}`, before: { email: user.email } });
    await emailRoleChange(tx, { id, ...user }, null);
  });
  return { ...user, role: user.listed ? "administrator" : null, granted: false };
}

/** Locks all roles, so that two administrators can't revoke each other's role at the same time. */
async function lockRoles(tx: SiteTransaction): Promise<{ userId: string; role: string }[]> {
  return forUpdate(tx, tx.db.selectFrom("administrators").select(["userId", "role"]).orderBy("userId")).execute();
}

async function requireAnotherAdministrator({ adminEmails }: Site, tx: SiteTransaction, leavingId: string): Promise<void> {
  const other = await findAdministrators({ db: tx.db, adminEmails }).where("u.id", "<>", leavingId).limit(1).executeTakeFirst();
  const isListed =
    adminEmails.length > 0 &&
    (await tx.db.selectFrom("users").select("id").where("id", "=", leavingId).where("email", "in", adminEmails).executeTakeFirst());
  if (!other && !isListed) throw new Conflict("You can’t remove the last administrator. Add another one first.");
}

export async function confirmEmailManually(site: Site, email: string, actor: Actor = null): Promise<StaffMember> {
  const { id, ...user } = await findAccount(site, email);
  await transaction(site, async (tx) => {
    await tx.db.updateTable("users").set({ emailVerified: true }).where("id", "=", id).execute();
    if (!user.confirmed) await recordAudit(tx, actor, { action: "address.confirmed", subject: `user:${id}`, after: { email: user.email } });
  });
  return { ...user, confirmed: true };
}

async function findAccount(site: Site, given: string): Promise<StaffMember & { id: string }> {
  const email = normalizeEmail(given);
  const row = await site.db
    .selectFrom("users as u")
    .leftJoin("administrators as a", "a.userId", "u.id")
    .select(["u.id", "u.name", "u.email", "u.emailVerified", "a.role"])
    .select((eb) => eb.case().when(hasSecondStep(eb)).then(1).else(0).end().as("secondStep"))
    .where("u.email", "=", email)
    .executeTakeFirst();
  if (!row) throw new NotFound(`There’s no account with the email ${email}.`);
  return { id: row.id, ...staffMemberOf(site, row) };
}

const roleSentences = {
  administrator: "You’re now an administrator: you can change settings, see all members and review reports.",
  moderator: "You’re now a moderator: you can handle reports, hold stories and suspend members.",
  none: "You’re no longer a staff member.",
};

async function emailRoleChange(
  tx: SiteTransaction,
  { id, name, email, confirmed }: { id: string; name: string; email: string; confirmed: boolean },
  role: StaffRole | null,
): Promise<void> {
  const { siteName } = tx.settings;
  const body = `Your role on ${siteName} has changed. ${roleSentences[role ?? "none"]}
${role ? `\nOpen the admin area: ${tx.url}/admin\n` : ""}
If you didn’t expect this, contact us: ${tx.url}/contact`;
  const subject = `Your role on ${siteName} has changed`;
  const hello = greeting({ name, emailVerified: confirmed });
  await sendEmail(tx, { kind: "role", userId: id, ...plainEmail(siteName, { to: email, subject, hello, body }) });
}
