import { isUnreachable } from "#platform/database/errors.ts";
import { forUpdate } from "#platform/database/locks.ts";
import { days } from "#platform/time.ts";
import { storeAvatar } from "../files/avatars.server.ts";
import { attachFile, detachFile, discardFile, type StoredFile, type Upload } from "../files/files.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, isRefusal } from "../refusals.ts";
import { limitRenames, renameAuthor } from "../search/rename-author.server.ts";
import { type Member, type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { changedFields, emptyProfileTexts, profileTextFields, profileTexts } from "./profile.ts";
import type { ProfileInput } from "./profile-input.ts";

export async function createProfile(site: Site, { userId, userName }: { userId: string; userName: string }): Promise<void> {
  const now = site.now();
  await transaction(site, async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx.db
      .insertInto("profiles")
      .values({ userId, userName, ...emptyProfileTexts, profileImage: null, createdAt: now, updatedAt: now })
      .onConflict((conflict) => conflict.column("userId").doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows) tx.changed("member.joined", { userId, name: userName });
  });
}

/** For recent sign-ups whose profile could not be saved: the list of members by name has only those with one. */
export async function createMissingProfiles(site: Site): Promise<void> {
  const missing = await site.db
    .selectFrom("users")
    .leftJoin("profiles", "profiles.userId", "users.id")
    .select(["users.id as userId", "users.name as userName"])
    .where("users.createdAt", ">=", new Date(site.now() - days(7)).toISOString())
    .where("profiles.userId", "is", null)
    .execute();
  for (const member of missing) await createProfile(site, member);
}

export type PictureChange = Upload | "keep" | "remove";

/** Details of a conflict: fields that the viewer and someone else have changed, and what all fields have now. */
export type ProfileChanged = { kind: "profile-changed"; names: (keyof ProfileInput)[]; present: ProfileInput };

/**
 * @param shown the texts that the viewer edited; fields that still have them aren't written. @returns `pictureFailed` if only the picture
 * could not be saved. @throws TooMany, Conflict (ProfileChanged).
 */
export async function updateProfile(
  site: Site,
  viewer: Viewer,
  input: ProfileInput,
  picture: PictureChange = "keep",
  shown: Partial<ProfileInput> = {},
): Promise<{ pictureFailed: boolean }> {
  requirePermission(viewer, "edit a profile", viewer?.id);
  if (input.userName !== shown.userName) await limitRenames(site, viewer.id, input.userName);
  const file = typeof picture === "string" ? picture : await saveAvatar(site, viewer, picture);
  await saveProfile(site, viewer, input, file ?? "keep", shown);
  return { pictureFailed: file === undefined };
}

/** Changes the given fields only, and none if the picture can't be saved. @throws TooMany, and as `storeAvatar`. */
export async function changeProfile(
  site: Site,
  viewer: Viewer,
  changes: Partial<ProfileInput>,
  picture: PictureChange = "keep",
): Promise<void> {
  requirePermission(viewer, "edit a profile", viewer?.id);
  if (changes.userName !== undefined) await limitRenames(site, viewer.id, changes.userName);
  await saveProfile(site, viewer, changes, typeof picture === "string" ? picture : await storeAvatar(site, viewer, picture));
}

async function saveAvatar(site: Site, viewer: Member, upload: Upload): Promise<StoredFile | undefined> {
  try {
    return await storeAvatar(site, viewer, upload);
  } catch (error) {
    if (!isRefusal(error) || error.code === "unavailable") site.log.error({ err: error, userId: viewer.id }, "profile picture not saved");
    return undefined;
  }
}

async function saveProfile(
  site: Site,
  viewer: Member,
  typed: Partial<ProfileInput>,
  picture: StoredFile | "keep" | "remove",
  shown: Partial<ProfileInput> = {},
) {
  const file = typeof picture === "string" ? undefined : picture;
  try {
    await transaction(site, (tx) => save(tx, viewer, { typed, shown, profileImage: picture === "remove" ? null : file?.id }));
  } catch (error) {
    // It may be saved: the answer to COMMIT may be lost. The sweep removes unused files.
    if (isUnreachable(error)) throw error;
    if (file) await discardFile(site, file.id);
    throw error;
  }
}

type ProfileSave = { typed: Partial<ProfileInput>; shown: Partial<ProfileInput>; profileImage: string | null | undefined };

async function save(tx: SiteTransaction, { id: userId, name }: Member, { typed, shown, profileImage }: ProfileSave) {
  const columns = ["userName", "profileImage", ...profileTextFields] as const;
  const own = tx.db.selectFrom("profiles").select(columns).where("userId", "=", userId);
  const before = await forUpdate(tx, own).executeTakeFirst();
  const changes = changesSince(shown, before ?? { userName: name, ...emptyProfileTexts }, typed);
  const now = tx.now();
  const changed = { ...changes, ...(profileImage === undefined ? {} : { profileImage }), updatedAt: now };
  await tx.db
    .insertInto("profiles")
    .values({ userId, userName: name, ...emptyProfileTexts, profileImage: null, createdAt: now, ...changed })
    .onConflict((conflict) => conflict.column("userId").doUpdateSet(changed))
    .execute();
  const userName = changes.userName ?? before?.userName ?? name;
  if (before?.userName !== userName) await renameAuthor(tx, userId, { before: before?.userName, name: userName });
  if (profileImage) await attachFile(tx, profileImage);
  if (profileImage !== undefined && before?.profileImage) await detachFile(tx, before.profileImage);
  const picture = profileImage === undefined ? (before?.profileImage ?? null) : profileImage;
  tx.changed(before ? "profile.changed" : "profile.created", { userId, name: userName, profileImage: picture });
}

/** @throws Conflict (ProfileChanged). */
function changesSince(shown: Partial<ProfileInput>, present: ProfileInput, typed: Partial<ProfileInput>): Partial<ProfileInput> {
  const changed = changedFields(shown, typed);
  const elsewhere = changedFields(shown, present);
  const differing = changedFields(present, typed);
  const names = changed.filter((name) => shown[name] !== undefined && elsewhere.includes(name) && differing.includes(name));
  if (names.length > 0)
    throw new Conflict(profileTexts.changedMeanwhile, names[0], { kind: "profile-changed", names, present } satisfies ProfileChanged);
  return Object.fromEntries(changed.map((name) => [name, typed[name]]));
}
