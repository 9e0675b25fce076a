import { readMemberCounters } from "../counters/counters.server.ts";
import { mustBeAllowed } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";

export type Profile = {
  id: string;
  name: string;
  userName: string;
  bio: string;
  location: string;
  website: string;
  twitter: string;
  github: string;
  linkedIn: string;
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

export type EditableProfile = { id: string; name: string; userName: string; profileImage: string | null } & ProfileTexts & {
    accountName: string;
    email: string;
  };

/** @throws NotFound. */
export async function readProfileForEditing(site: Site, viewer: Viewer): Promise<EditableProfile> {
  mustBeAllowed(viewer, "edit a profile", viewer?.id);
  const member = await findMember(site, viewer.id);
  if (!member) throw new NotFound();
  const { userName, accountName, profileImage } = member;
  const name = userName || accountName || "User";
  return {
    ...textsOrEmpty(member),
    id: viewer.id,
    name,
    userName: userName ?? accountName,
    profileImage,
    accountName,
    email: viewer.email,
  };
}

type ProfileTexts = Pick<Profile, "bio" | "location" | "website" | "twitter" | "github" | "linkedIn">;

function textsOrEmpty({
  bio,
  location,
  website,
  twitter,
  github,
  linkedIn,
}: { [Field in keyof ProfileTexts]: string | null }): ProfileTexts {
  return {
    bio: bio ?? "",
    location: location ?? "",
    website: website ?? "",
    twitter: twitter ?? "",
    github: github ?? "",
    linkedIn: linkedIn ?? "",
  };
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
