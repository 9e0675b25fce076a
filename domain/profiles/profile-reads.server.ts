import { readMemberCounters } from "../counters/counters.server.ts";
import { requirePermission } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { type ProfileTexts, profileTextFields } from "./profile.ts";

export type Profile = ProfileTexts & {
  id: string;
  name: string;
  userName: string;
  profileImage: string | null;
  joinedAt: number;
  postsCount: number;
  likesReceived: number;
  suspendedUntil: number | null;
};

/** Empty for an account whose profile could not be created. @throws NotFound. */
export async function findProfile(site: Site, userId: string): Promise<Profile> {
  const [member, counters] = await Promise.all([findMember(site, userId), readMemberCounters(site, userId)]);
  if (!member) throw new NotFound();
  const { userName, accountName, createdAt, profileImage, until } = member;
  return {
    id: userId,
    name: userName || accountName || "User",
    userName: userName ?? "",
    ...textsOrEmpty(member),
    profileImage,
    joinedAt: new Date(createdAt).getTime(),
    postsCount: counters.published,
    likesReceived: counters.likesReceived,
    suspendedUntil: until !== null && until > site.now() ? until : null,
  };
}

export type EditableProfile = Pick<Profile, "id" | "name" | "userName" | "profileImage"> &
  ProfileTexts & { accountName: string; email: string };

/** @throws NotFound. */
export async function readProfileForEditing(site: Site, viewer: Viewer): Promise<EditableProfile> {
  requirePermission(viewer, "edit a profile", viewer?.id);
  const member = await findMember(site, viewer.id);
  if (!member) throw new NotFound();
  const { userName, accountName, profileImage } = member;
  const shown = { id: viewer.id, name: userName || accountName || "User", userName: userName ?? accountName, profileImage };
  return { ...textsOrEmpty(member), ...shown, accountName, email: viewer.email };
}

function textsOrEmpty(member: { [Field in keyof ProfileTexts]: string | null }): ProfileTexts {
  return Object.fromEntries(profileTextFields.map((field) => [field, member[field] ?? ""])) as ProfileTexts;
}

function findMember(site: Site, userId: string) {
  return site.db
    .selectFrom("users as u")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .leftJoin("suspensions as s", "s.userId", "u.id")
    .select(["u.name as accountName", "u.createdAt", "p.userName", "p.profileImage", "s.until"])
    .select(["p.bio", "p.location", "p.website", "p.twitter", "p.github", "p.linkedIn"])
    .where("u.id", "=", userId)
    .executeTakeFirst();
}
