import type { Site } from "#domain/site.ts";

/** Whether any account administers the site already, by grant or by ADMIN_EMAILS. */
export async function hasAdministrator(site: Site): Promise<boolean> {
  const row = await site.db
    .selectFrom("users as u")
    .leftJoin("administrators as a", "a.userId", "u.id")
    .select("u.id")
    .where("u.emailVerified", "=", true)
    .where((eb) =>
      site.adminEmails.length > 0 ? eb.or([eb("a.userId", "is not", null), eb("u.email", "in", site.adminEmails)]) : eb("a.userId", "is not", null),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
