import { afterEach, beforeEach, expect, test } from "vitest";
import { hours } from "#platform/time.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { emailOwner } from "../accounts/security/account-emails.ts";
import { grantRole } from "../accounts/staff-roles.server.ts";
import { setFollow } from "../follows/follows.server.ts";
import { unreadEmailDelayMs } from "../messages/message.ts";
import { sendMessageEmails } from "../messages/message-emails.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { decide } from "../moderation/decide.server.ts";
import { sendTestIssue } from "../newsletter/issues.server.ts";
import { sendBundleEmails } from "../notification-channels/bundle-emails.server.ts";
import { sendDigests } from "../notification-channels/digests.server.ts";
import { sendNewPostEmails } from "../notification-channels/new-post-emails.server.ts";
import { bundleEmailDelayMs } from "../notifications/bundles.server.ts";
import { saveNotificationSettings } from "../notifications/preferences.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { newPostEmailDelayMs } from "../posts/visibility.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import { listReports } from "../reports/report-reads.server.ts";
import { report } from "../reports/reports.server.ts";
import type { EmailKind } from "./email-kinds.ts";
import { sendEmailNow } from "./send-email.server.ts";

const link = "[Confirm your account](http:evil.zone)";
const image = "![a](http:evil.zone) <https://evil.zone> **A**";

let world: World;
beforeEach(async () => {
  world = await openWorld();
  // As from before the names were checked.
  await world.site.db.updateTable("users").set({ name: link }).execute();
  await world.site.db.updateTable("profiles").set({ userName: link }).execute();
  await addPost(world, world.maren, { id: "moor", title: image, summary: image });
});
afterEach(() => world.close());

const named = (member: World["maren"]) => ({ ...member, name: link });

async function sendBellEmails(): Promise<void> {
  const { site, clock } = world;
  const [maren, tobias] = [named(world.maren), named(world.tobias)];
  const atOnce = { onSite: true, email: "at-once" } as const;
  const preferences = {
    like: atOnce,
    story: atOnce,
    follower: atOnce,
    message: atOnce,
    bookmark: { onSite: true, email: "daily" },
  } as const;
  for (const each of [maren, tobias]) await saveNotificationSettings(site, each, { preferences, timeZone: "Europe/Berlin" });
  clock.advance(1);
  await setFollow(site, tobias, { userId: maren.id, following: true });
  await sendMessage(site, tobias, { to: maren.id, text: image, sendId: "1" });
  await setLike(site, tobias, "moor", true);
  await setBookmark(site, tobias, "moor", true);
  await addPost(world, maren, { id: "sea", title: image, summary: image, status: "inactive" });
  await setPostStatus(site, maren, "sea", "active");
  clock.advance(Math.max(bundleEmailDelayMs, unreadEmailDelayMs, newPostEmailDelayMs));
  for (const send of [sendMessageEmails, sendBundleEmails, sendNewPostEmails]) await send(site);
  clock.advance(hours(24));
  await sendDigests(site);
}

async function sendOthers(): Promise<void> {
  const { site, maren, tobias, ruth } = world;
  await report(site, tobias, { kind: "post", subjectId: "moor", reason: "spam", note: "" });
  const [{ id = "" } = {}] = (await listReports(site, ruth, { status: "pending", limit: 1 })).reports;
  await decide(site, ruth, id, { decision: "hold", reason: "It is copied", answer: "Thank you" });
  await decide(site, ruth, id, { decision: "release", reason: "", answer: "Thank you" });
  await grantRole(site, ruth, tobias.email, "moderator");
  await emailOwner(site, { ...maren, name: link }, "passkey-added");
  await sendTestIssue(site, ruth);
  // Kinds whose only variable part is the greeting.
  for (const kind of ["confirmation", "recovery", "email-change", "subscription", "goodbye", "webhook", "backup", "test"] as const)
    await sendEmailNow(site, { kind, to: maren.email, subject: "A", text: `Hello ${link},\n\n“${image}”\n\n${site.url}/account\n` });
}

test("no kind of email makes a link or picture of a name or title, and its text shows them as typed", async () => {
  await sendBellEmails();
  await sendOthers();
  await world.site.background.settled();
  const kinds = (await world.site.db.selectFrom("outbox").select("kind").distinct().execute()).map(({ kind }) => kind as EmailKind);
  expect(kinds).toEqual(expect.arrayContaining(["decision", "digest", "follower", "like", "messages", "role", "security", "stories"]));
  expect(world.emails.length).toBeGreaterThan(kinds.length);
  for (const { subject, text, html = "" } of world.emails) {
    const hrefs = Array.from(html.matchAll(/href="([^"]*)"/g), ([, href = ""]) => href);
    expect({ subject, foreign: hrefs.filter((href) => !href.startsWith(`${world.site.url}/`) && href !== world.site.url) }).toEqual({
      subject,
      foreign: [],
    });
    expect(hrefs.length, subject).toBeGreaterThan(0);
    expect(html).not.toMatch(/<img|<strong>A<\/strong>|Confirm your account<\/a>/);
    const isShown = [link, image].some((typed) => text.includes(typed));
    expect({ subject, isShown }).toEqual({ subject, isShown: true });
  }
});
