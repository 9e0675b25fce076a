import { NotFound } from "../refusals.ts";
import type { Site } from "../site.ts";

/** A member as everybody may see them. */
export type Profile = {
  id: string;
  name: string;
  bio: string;
  location: string;
  website: string;
  twitter: string;
  github: string;
  linkedIn: string;
  profileImage: string | null;
  joinedAt: number;
  /** Published ones. */
  postsCount: number;
  likesReceived: number;
};

/**
 * One member's profile; an account whose profile was never made has an empty one.
 * @throws NotFound when there is no such account.
 */
export async function findProfile(site: Site, userId: string): Promise<Profile> {
  const [member, totals] = await Promise.all([findMember(site, userId), sumUpStories(site, userId)]);
  if (!member) throw new NotFound();
  const { userName, accountName, createdAt, profileImage, ...texts } = member;
  const written = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, text ?? ""])) as Written;
  return {
    id: userId,
    name: userName || accountName || "User",
    ...written,
    profileImage,
    joinedAt: new Date(createdAt).getTime(),
    ...totals,
  };
}

type Written = Pick<Profile, "bio" | "location" | "website" | "twitter" | "github" | "linkedIn">;

function findMember(site: Site, userId: string) {
  return site.db
    .selectFrom("users as u")
    .leftJoin("profiles as p", "p.userId", "u.id")
    .select(["u.name as accountName", "u.createdAt", "p.userName", "p.profileImage"])
    .select(["p.bio", "p.location", "p.website", "p.twitter", "p.github", "p.linkedIn"])
    .where("u.id", "=", userId)
    .executeTakeFirst();
}

async function sumUpStories(site: Site, userId: string): Promise<Pick<Profile, "postsCount" | "likesReceived">> {
  const { postsCount, likesReceived } = await site.db
    .selectFrom("posts")
    .select((eb) => [eb.fn.countAll<number>().as("postsCount"), eb.fn.sum<number | null>("likesCount").as("likesReceived")])
    .where("userId", "=", userId)
    .where("status", "=", "active")
    .executeTakeFirstOrThrow();
  return { postsCount, likesReceived: Number(likesReceived ?? 0) };
}

export type FeaturedWriter = {
  id: string;
  name: string;
  bio: string;
  profileImage: string | null;
  /** Published within the time, and how often these were read. */
  stories: number;
  views: number;
};

const thirtyDays = 30 * 24 * 60 * 60 * 1000;

/** The writers whose stories of the last 30 days were read most. */
export async function listFeaturedWriters(site: Site, limit: number): Promise<FeaturedWriter[]> {
  const rows = await site.db
    .selectFrom("posts")
    .innerJoin("users as u", "u.id", "posts.userId")
    .leftJoin("profiles as p", "p.userId", "posts.userId")
    .select((eb) => [
      "posts.userId as id",
      eb.fn.coalesce("p.userName", "u.name").as("name"),
      "p.bio",
      "p.profileImage",
      eb.fn.countAll<number>().as("stories"),
      eb.fn.sum<number>("posts.views").as("views"),
    ])
    .where("posts.status", "=", "active")
    .where("posts.createdAt", ">=", site.now() - thirtyDays)
    .groupBy(["posts.userId", "p.userName", "u.name", "p.bio", "p.profileImage"])
    .orderBy("views", "desc")
    .orderBy("stories", "desc")
    .orderBy("posts.userId")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, bio: row.bio ?? "", views: Number(row.views) }));
}
