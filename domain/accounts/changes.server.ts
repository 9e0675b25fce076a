import { requirePermission } from "../permissions.ts";
import { Invalid } from "../refusals.ts";
import { limitRenames, renameAuthor } from "../search/rename-author.server.ts";
import { type Member, type Site, transaction } from "../site.ts";

/** Changes the name of the account and the profile. @throws TooMany. */
export async function renameAccountAndProfile(site: Site, viewer: Member, name: string): Promise<void> {
  requirePermission(viewer, "edit a profile", viewer.id);
  await limitRenames(site, viewer.id, name);
  await transaction(site, async (tx) => {
    const before = await tx.db
      .selectFrom("profiles")
      .select(["userName", "profileImage"])
      .where("userId", "=", viewer.id)
      .executeTakeFirst();
    const updatedAt = new Date(tx.now()).toISOString();
    await tx.db.updateTable("users").set({ name, updatedAt }).where("id", "=", viewer.id).execute();
    await tx.db.updateTable("profiles").set({ userName: name, updatedAt: tx.now() }).where("userId", "=", viewer.id).execute();
    await renameAuthor(tx, viewer.id, { before: before?.userName ?? viewer.name, name });
    tx.changed("account.renamed", { userId: viewer.id });
    if (before) tx.changed("profile.changed", { userId: viewer.id, name, profileImage: before.profileImage });
  });
}

const maxPrefsLength = 65_535;

export async function readPrefs(site: Site, viewer: Member): Promise<Record<string, unknown>> {
  const row = await site.db.selectFrom("preferences").select("prefs").where("userId", "=", viewer.id).executeTakeFirst();
  return row ? (JSON.parse(row.prefs) as Record<string, unknown>) : {};
}

/** Replaces the API clients' preferences. @throws Invalid beyond 64 KB. */
export async function writePrefs(site: Site, viewer: Member, prefs: Record<string, unknown>): Promise<void> {
  const text = JSON.stringify(prefs);
  if (Buffer.byteLength(text) > maxPrefsLength) throw new Invalid("Value must be a valid object.", "prefs");
  const row = { prefs: text, updatedAt: site.now() };
  await transaction(site, async (tx) => {
    await tx.db
      .insertInto("preferences")
      .values({ userId: viewer.id, ...row })
      .onConflict((conflict) => conflict.column("userId").doUpdateSet(row))
      .execute();
    await tx.db
      .updateTable("users")
      .set({ updatedAt: new Date(tx.now()).toISOString() })
      .where("id", "=", viewer.id)
      .execute();
    tx.changed("account.changed", { userId: viewer.id, part: "prefs" });
  });
}
