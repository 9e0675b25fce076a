import { signUp } from "#domain/accounts/accounts.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import { type Member, memberWithoutSession } from "#domain/site.ts";
import type { DemoSite } from "./community.ts";
import { type DemoMember, readPortrait } from "./content.ts";
import { demoPassword } from "./sign-ins.ts";

/** Signs a member up at the site's time from a separate address and fills in the profile. */
export async function seedMember(site: DemoSite, each: DemoMember, index: number): Promise<Member> {
  const { userName, email, bio, location, website, twitter, github, linkedIn } = each;
  const origin = { ip: `192.0.2.${index + 1}`, userAgent: null };
  const { user } = await signUp(site, origin, { name: userName, email, password: demoPassword });
  const joined = new Date(site.now());
  const date = site.engine === "sqlite" ? joined.toISOString() : joined;
  await site.db.updateTable("users").set({ emailVerified: true, createdAt: date, updatedAt: date }).where("id", "=", user.id).execute();
  const member = memberWithoutSession({ id: user.id, name: userName, email, isReauthenticated: true });
  const profile = { userName, bio, location, website, twitter, github, linkedIn };
  await updateProfile(site, member, profile, each.portrait ? readPortrait(each.portrait) : "keep");
  return member;
}
