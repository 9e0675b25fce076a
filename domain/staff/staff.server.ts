import { type ExpressionBuilder, sql } from "kysely";
import type { Site, SiteTransaction, StaffRole } from "#domain/site.ts";
import type { Tables } from "#platform/database/schema.ts";

type Candidate = { email: string; emailVerified: boolean; role: string | null; hasSecondStep: boolean };

export async function staffOf(site: Site, of: Candidate): Promise<{ staff: StaffRole | null; awaitsSecondStep: boolean }> {
  const staff = of.emailVerified ? grantedRole(site, of) : null;
  if (!staff || of.hasSecondStep || !(await needsSecondStep(site))) return { staff, awaitsSecondStep: false };
  return { staff: null, awaitsSecondStep: true };
}

export function grantedRole(
  { adminEmails }: Pick<Site, "adminEmails">,
  { email, role }: Pick<Candidate, "email" | "role">,
): StaffRole | null {
  if (adminEmails.includes(email)) return "administrator";
  return role === "moderator" || role === "administrator" ? role : null;
}

/** While undecided (null): once a staff member has one. */
export async function needsSecondStep(site: Pick<Site, "db" | "adminEmails" | "settings">): Promise<boolean> {
  return site.settings.staffSecondStep ?? (await findStaff(site).where(hasSecondStep).limit(1).executeTakeFirst()) !== undefined;
}

export function findStaff({ db, adminEmails }: Pick<Site | SiteTransaction, "db"> & Pick<Site, "adminEmails">) {
  return db
    .selectFrom("users as u")
    .leftJoin("administrators as a", "a.userId", "u.id")
    .select("u.id")
    .where((eb) => eb.or([eb("a.userId", "is not", null), ...(adminEmails.length > 0 ? [eb("u.email", "in", adminEmails)] : [])]));
}

export function findAdministrators({ db, adminEmails }: Parameters<typeof findStaff>[0]) {
  return findStaff({ db, adminEmails })
    .where("u.emailVerified", "=", sql<boolean>`true`)
    .where((eb) => eb.or([eb("a.role", "=", "administrator"), ...(adminEmails.length > 0 ? [eb("u.email", "in", adminEmails)] : [])]));
}

type Staff = ExpressionBuilder<Tables & { u: Tables["users"] }, "u">;

export function hasSecondStep(eb: Staff) {
  const passkeys = eb.selectFrom("passkeys").select("passkeys.id").whereRef("passkeys.userId", "=", "u.id");
  return eb.or([eb("u.twoFactorEnabled", "=", sql<boolean>`true`), eb.exists(passkeys)]);
}

export async function ownsSecondStep({ db }: Pick<Site, "db">, userId: string): Promise<boolean> {
  const user = db
    .selectFrom("users as u")
    .select("u.id")
    .where("u.id", "=", userId)
    .where((eb) => hasSecondStep(eb as unknown as Staff));
  return (await user.executeTakeFirst()) !== undefined;
}
