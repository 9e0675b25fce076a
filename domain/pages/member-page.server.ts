import { isFollowing, readFollowCounts } from "#domain/follows/follows.server.ts";
import { may } from "#domain/permissions.ts";
import { findProfile, type Profile } from "#domain/profiles/profile-reads.server.ts";
import { isRefusal, NotFound } from "#domain/refusals.ts";
import type { Site, Viewer } from "#domain/site.ts";

export type MemberPage = { profile: Profile; followers: number; following: number; followed: boolean };

/** @throws NotFound, with `account-gone` for a deleted account and, except for themselves and staff, a suspended one. */
export async function readMemberPage(site: Site, viewer: Viewer, userId: string): Promise<MemberPage> {
  const [profile, counts, followed] = await Promise.all([
    findProfile(site, userId).catch((error) => refuseDeletedAccount(site, userId, error)),
    readFollowCounts(site, userId),
    isFollowing(site, viewer, userId),
  ]);
  if (profile.suspendedUntil !== null && viewer?.id !== userId && !may(viewer, "moderate members")) throw accountGone();
  return { profile, ...counts, followed };
}

function accountGone(): NotFound {
  return new NotFound("User Not Found", { kind: "account-gone" });
}

async function refuseDeletedAccount(site: Site, userId: string, error: unknown): Promise<never> {
  if (!isRefusal(error) || error.code !== "not-found") throw error;
  const deleted = await site.db.selectFrom("deleted_accounts").select("userId").where("userId", "=", userId).executeTakeFirst();
  throw deleted ? accountGone() : error;
}
