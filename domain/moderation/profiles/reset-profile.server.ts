import { type ActionReason, type ModerationAction, recordModerationAction } from "#domain/moderation/moderation-actions.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { emptyProfileTexts, profileTextFields } from "#domain/profiles/profile.ts";
import { NotFound } from "#domain/refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "#domain/site.ts";
import { forUpdate } from "#platform/database/locks.ts";

/** Clears texts, links and picture; the moderation action keeps them. @throws NotFound. */
export async function resetProfile(site: Site, viewer: Viewer, userId: string, why: ActionReason): Promise<void> {
  requirePermission(viewer, "moderate members");
  await transaction(site, async (tx) => {
    const { userName, ...before } = await lock(tx, userId);
    await recordModerationAction(tx, viewer, {
      ...why,
      ...{ kind: "clear", subject: `user:${userId}`, title: userName, memberId: userId, before },
      log: { action: "profile.cleared", before: { name: userName } },
    });
    await tx.db
      .updateTable("profiles")
      .set({ ...emptyProfileTexts, profileImage: null, updatedAt: tx.now() })
      .where("userId", "=", userId)
      .execute();
    tx.changed("profile.changed", { userId, name: userName, profileImage: null });
  });
}

/** Restores only fields that are still empty. */
export async function restoreProfile(tx: SiteTransaction, { memberId, before }: ModerationAction): Promise<void> {
  const now = await lock(tx, memberId);
  const stillEmpty = profileTextFields.filter((name) => now[name] === "").map((name) => [name, String(before[name] ?? "")]);
  const profileImage = now.profileImage ?? (await existingFileId(tx, before.profileImage));
  await tx.db
    .updateTable("profiles")
    .set({ ...Object.fromEntries(stillEmpty), profileImage, updatedAt: tx.now() })
    .where("userId", "=", memberId)
    .execute();
  tx.changed("profile.changed", { userId: memberId, name: now.userName, profileImage });
}

async function existingFileId(tx: SiteTransaction, fileId: unknown): Promise<string | null> {
  if (typeof fileId !== "string") return null;
  const file = await tx.db.selectFrom("files").select("id").where("id", "=", fileId).executeTakeFirst();
  return file?.id ?? null;
}

async function lock(tx: SiteTransaction, userId: string) {
  const query = tx.db
    .selectFrom("profiles")
    .select(["userName", "profileImage", ...profileTextFields])
    .where("userId", "=", userId);
  const profile = await forUpdate(tx, query).executeTakeFirst();
  if (!profile) throw new NotFound();
  return profile;
}
