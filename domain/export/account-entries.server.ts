import { originalKey } from "#platform/files/file-keys.ts";
import { readOwnAccount } from "../accounts/own-account.server.ts";
import { readFollowCounts } from "../follows/follows.server.ts";
import { listOwnDecisions } from "../moderation/notices.server.ts";
import { findProfile } from "../profiles/profile-reads.server.ts";
import { socialLink } from "../profiles/social-links.ts";
import type { Member, Site } from "../site.ts";
import { type ExportFile, iso, json, plainMarkdown } from "./entry.ts";

async function securityOf({ db }: Site, userId: string) {
  const [events, devices, changes] = await Promise.all([
    db.selectFrom("security_events").select(["kind", "device", "network", "at"]).where("userId", "=", userId).orderBy("number").execute(),
    db.selectFrom("known_devices").select(["device", "network", "firstSeenAt", "lastSeenAt"]).where("userId", "=", userId).execute(),
    db.selectFrom("email_changes").select(["fromEmail", "toEmail", "state", "requestedAt"]).where("userId", "=", userId).execute(),
  ]);
  return {
    securityLog: events.map(({ at, ...event }) => ({ ...event, at: iso(at) })),
    knownDevices: devices.map(({ firstSeenAt, lastSeenAt, ...device }) => ({
      ...device,
      firstSeen: iso(firstSeenAt),
      lastSeen: iso(lastSeenAt),
    })),
    emailChanges: changes.map(({ requestedAt, ...change }) => ({ ...change, requestedAt: iso(requestedAt) })),
  };
}

export async function* accountEntries(site: Site, viewer: Member): AsyncGenerator<ExportFile> {
  const account = await readOwnAccount(site, viewer);
  const devices = account.devices.map(({ userAgent, ip, since, lastSeen }) => ({
    userAgent,
    address: ip,
    since: iso(since),
    lastSeen: iso(lastSeen),
  }));
  const passkeys = account.passkeys.map(({ name, createdAt }) => ({ name, createdAt: iso(createdAt) }));
  const security = await securityOf(site, viewer.id);
  yield { name: "account.json", input: json({ id: viewer.id, ...account, devices, passkeys, ...security }) };

  yield { name: "decisions.json", input: json(await listOwnDecisions(site, viewer)) };

  const [profile, followers] = await Promise.all([findProfile(site, viewer.id), readFollowCounts(site, viewer.id)]);
  yield { name: "profile.json", input: json({ ...profile, ...followers, joinedAt: iso(profile.joinedAt) }) };
  const links = (["website", "twitter", "github", "linkedIn"] as const).flatMap((network) => socialLink(network, profile[network]) ?? []);
  const head = `# ${plainMarkdown(profile.name)}\n\nJoined ${iso(profile.joinedAt)}\n`;
  const rest = [profile.location && plainMarkdown(profile.location), profile.bio, links.map((link) => `- <${link}>`).join("\n")];
  yield { name: "profile.md", input: [head, ...rest.filter(Boolean)].join("\n\n") };
  const picture = profile.profileImage && (await site.files.get(originalKey(profile.profileImage)));
  if (picture) yield { name: "picture.jpg", input: picture };
}
