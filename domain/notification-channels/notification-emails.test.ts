import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addPost } from "../../tests/support/posts.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { setFollow } from "../follows/follows.server.ts";
import { setBlocked } from "../messages/blocking.server.ts";
import { sendMessageEmails } from "../messages/message-emails.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { bundleEmailDelayMs } from "../notifications/bundles.server.ts";
import type { ConfigurableKind, EmailFrequency, UnsubscribeTarget } from "../notifications/kinds.ts";
import { readNotificationSettings, saveNotificationSettings } from "../notifications/preferences.server.ts";
import { stopEmails, unsubscribeLink } from "../notifications/stop-emails.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { holdPost, newPostEmailDelayMs } from "../posts/visibility.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import { type Member, transaction } from "../site.ts";
import { sendBundleEmails } from "./bundle-emails.server.ts";
import { sendDigests } from "./digests.server.ts";
import { markAllRead } from "./marking.server.ts";
import { sendNewPostEmails } from "./new-post-emails.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await addPost(world, world.maren, { id: "spoon", title: "The *Spoon*" });
});
afterEach(() => world.close());

const hour = 60 * 60 * 1000;
const at = (time: string) => world.clock.set(Date.parse(time));
const want = (frequencies: Partial<Record<ConfigurableKind, EmailFrequency>>, more: { quiet?: { from: number; to: number } } = {}) =>
  saveNotificationSettings(world.site, world.maren, {
    preferences: Object.fromEntries(Object.entries(frequencies).map(([kind, email]) => [kind, { onSite: true, email }])),
    timeZone: "Europe/Berlin",
    ...more,
  });
const emails = () => world.emails.map(({ to, subject }) => `${to}: ${subject}`);
const later = async (by = bundleEmailDelayMs) => {
  world.clock.advance(by);
  return sendBundleEmails(world.site);
};
const linkIn = (index = -1) => /\/notifications\/stop\?about=([\w-]+)&token=([\w-]+)/.exec(world.emails.at(index)?.text ?? "") ?? [];

describe("an email at once", () => {
  test("is sent only to members who chose it", async () => {
    await setLike(world.site, world.tobias, "spoon", true);
    await setBookmark(world.site, world.tobias, "spoon", true);
    expect(await later()).toBe(0);
    expect(await sendDigests(world.site)).toBe(0);
  });

  test("covers all events of some minutes, once until they are read", async () => {
    await want({ like: "at-once" });
    await setLike(world.site, world.tobias, "spoon", true);
    expect(await later(bundleEmailDelayMs - 1)).toBe(0);
    await setLike(world.site, world.ruth, "spoon", true);
    expect(await later(1)).toBe(1);
    expect(emails()).toEqual(["maren@example.com: Ruth Castellanos and Tobias Lindqvist liked “The *Spoon*”"]);
    const [email] = world.emails;
    for (const part of ["http://inkstead.test/post/spoon", "The *Spoon*", "Hello Maren Oduya"]) expect(email?.text).toContain(part);
    expect(email?.html).toContain("<strong>“The *Spoon*”</strong></a>");
    expect(email?.text).toContain("“The *Spoon*”\nhttp://inkstead.test/post/spoon\n");
    const hana = await addMember(world, "Hana Novák");
    await setLike(world.site, hana, "spoon", true);
    expect(await later()).toBe(0);
    await markAllRead(world.site, world.maren, { until: world.site.now() });
    world.clock.advance(1);
    await setLike(world.site, await addMember(world, "Ivo"), "spoon", true);
    expect(await later()).toBe(1);
  });

  test("isn’t sent for events read or undone in time, or if the site sends none", async () => {
    await want({ like: "at-once", bookmark: "at-once" });
    await setLike(world.site, world.tobias, "spoon", true);
    await markAllRead(world.site, world.maren, { until: world.site.now() });
    await setBookmark(world.site, world.tobias, "spoon", true);
    await setBookmark(world.site, world.tobias, "spoon", false);
    expect(await later()).toBe(0);
    await setLike(world.site, world.ruth, "spoon", true);
    world.site.settings.emailNotifications = false;
    expect(await later()).toBe(0);
    expect(world.emails).toEqual([]);
  });

  test("is sent by one of several concurrent processes", async () => {
    await want({ like: "at-once" });
    await setLike(world.site, world.tobias, "spoon", true);
    world.clock.advance(bundleEmailDelayMs);
    const sent = await Promise.all(Array.from({ length: 5 }, () => sendBundleEmails(world.site)));
    expect(sent.reduce((sum, each) => sum + each)).toBe(1);
    expect(world.emails).toHaveLength(1);
  });
});

test("quiet hours delay emails until they end", async () => {
  const { site, maren, tobias } = world;
  at("2026-11-23T21:30:00Z");
  await want({ like: "at-once" }, { quiet: { from: 22 * 60, to: 7 * 60 } });
  await setLike(site, tobias, "spoon", true);
  await setFollow(site, tobias, { userId: maren.id, following: true });
  await sendMessage(site, tobias, { to: maren.id, text: "Hello", sendId: "1" });
  const wake = async () => {
    await site.outbox.wake(site);
    return [await sendMessageEmails(site), await sendBundleEmails(site)];
  };
  at("2026-11-23T22:00:00Z");
  expect([await wake(), emails()]).toEqual([[0, 0], []]);
  at("2026-11-24T05:59:59Z");
  expect([await wake(), emails()]).toEqual([[0, 0], []]);
  at("2026-11-24T06:00:00Z");
  expect(await wake()).toEqual([1, 1]);
  expect(emails().sort()).toEqual([
    "maren@example.com: New message from Tobias Lindqvist on Inkstead",
    "maren@example.com: Tobias Lindqvist liked “The *Spoon*”",
    "maren@example.com: You have a new follower on Inkstead",
  ]);
});

describe("a digest", () => {
  test("has the unread entries of its kinds since the last one, at eight in the member’s time zone", async () => {
    const { site, maren, tobias, ruth } = world;
    at("2026-11-23T10:00:00Z");
    await setLike(site, ruth, "spoon", true);
    world.clock.advance(1);
    await want({ like: "daily", story: "daily", message: "daily", bookmark: "weekly", follower: "never" });
    world.clock.advance(1);
    await setFollow(site, maren, { userId: tobias.id, following: true });
    world.clock.advance(1);
    await addPost(world, tobias, { id: "tide", title: "Tide" });
    await setLike(site, tobias, "spoon", true);
    await setBookmark(site, tobias, "spoon", true);
    await setFollow(site, ruth, { userId: maren.id, following: true });
    await sendMessage(site, tobias, { to: maren.id, text: "A secret", sendId: "1" });
    world.clock.advance(hour);
    expect(await sendMessageEmails(site)).toBe(0);
    at("2026-11-24T06:59:59Z");
    expect(await sendDigests(site)).toBe(0);
    at("2026-11-24T07:00:00Z");
    expect(await sendDigests(site)).toBe(1);
    expect(emails().filter((each) => each.startsWith("maren"))).toEqual(["maren@example.com: Your day on Inkstead"]);
    const { text = "", headers } = world.emails.at(-1) ?? {};
    const expected = ["Tobias Lindqvist and Ruth Castellanos liked “The *Spoon*”", "Tobias Lindqvist published “Tide”"];
    for (const part of [...expected, "An unread message from Tobias Lindqvist", "/post/tide"]) expect(text).toContain(part);
    for (const part of ["bookmarked", "following you", "A secret"]) expect(text).not.toContain(part);
    expect(headers).toMatchObject({ "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });
    at("2026-11-25T07:00:00Z");
    expect(await sendDigests(site)).toBe(0);
    at("2026-11-30T07:00:00Z");
    expect(await sendDigests(site)).toBe(1);
    expect(world.emails.at(-1)).toMatchObject({ subject: "Your week on Inkstead" });
    expect(world.emails.at(-1)?.text).toContain("Someone bookmarked");
  });

  test("is sent by one of several processes, and not for read entries or kinds turned off", async () => {
    const { site, maren, tobias } = world;
    at("2026-11-23T10:00:00Z");
    await want({ like: "daily" });
    world.clock.advance(1);
    await setLike(site, tobias, "spoon", true);
    at("2026-11-24T07:00:00Z");
    const sent = await Promise.all(Array.from({ length: 5 }, () => sendDigests(site)));
    expect(sent.reduce((sum, each) => sum + each)).toBe(1);
    expect(emails()).toHaveLength(1);
    await setLike(site, world.ruth, "spoon", true);
    await markAllRead(site, maren, { until: site.now() });
    at("2026-11-25T07:00:00Z");
    expect(await sendDigests(site)).toBe(0);
    await setLike(site, await addMember(world, "Ivo"), "spoon", true);
    await want({ like: "never" });
    at("2026-11-26T07:00:00Z");
    expect(await sendDigests(site)).toBe(0);
  });
});

describe("the unsubscribe link works without a sign-in", () => {
  test.each(["like", "follower", "message", "daily"] as const)("%s", async (about: UnsubscribeTarget) => {
    const { site, maren, tobias } = world;
    at("2026-11-23T10:00:00Z");
    await want(about === "daily" ? { like: "daily", bookmark: "daily" } : { like: "at-once" });
    world.clock.advance(1);
    if (about === "follower") await setFollow(site, tobias, { userId: maren.id, following: true });
    else if (about === "message") await sendMessage(site, tobias, { to: maren.id, text: "Hello", sendId: "1" });
    else await setLike(site, tobias, "spoon", true);
    world.clock.advance(23 * hour);
    await sendMessageEmails(site);
    await sendBundleEmails(site);
    await sendDigests(site);
    const [link = "", kind, token = ""] = linkIn();
    expect(kind).toBe(about);
    expect(world.emails.at(-1)?.headers?.["List-Unsubscribe"]).toBe(`<http://inkstead.test${link}>`);
    await stopEmails(site, "another token", about);
    await stopEmails(site, token, about);
    const { preferences } = await readNotificationSettings(site, maren);
    const ended = Object.entries(preferences).filter(([, { email }]) => email === "never");
    const never = about === "daily" ? ["bookmark", "like", "story"] : ["bookmark", "story", about].filter((each) => each !== "");
    if (about === "follower" || about === "message") expect(preferences.like.email).toBe("at-once");
    expect(ended.map(([each]) => each).sort()).toEqual([...new Set(never)].sort());
  });
});

describe("emails about new stories of followed members", () => {
  const publish = async (id: string) => {
    await addPost(world, world.maren, { id, title: "Salt & *Other* Things", status: "inactive", summary: "On [salt]." });
    await setPostStatus(world.site, world.maren, id, "active");
  };
  const wantEach = async (by: Member) => {
    await setFollow(world.site, by, { userId: world.maren.id, following: true });
    await saveNotificationSettings(world.site, by, { preferences: { story: { onSite: true, email: "at-once" } } });
  };
  const sent = async (by = newPostEmailDelayMs) => {
    world.clock.advance(by);
    world.emails.length = 0;
    const count = await sendNewPostEmails(world.site);
    expect(emails()).toHaveLength(count);
    return emails();
  };

  test("are sent to followers who chose them, once, after the delay for corrections", async () => {
    const { site, maren, tobias, ruth, salma } = world;
    await wantEach(tobias);
    await setFollow(site, ruth, { userId: maren.id, following: true });
    await wantEach(salma);
    await publish("salt");
    expect(await sent(newPostEmailDelayMs - 1)).toEqual([]);
    expect(await sent(1)).toEqual(["tobias@example.com: Maren Oduya: Salt & *Other* Things"]);
    const [email] = world.emails;
    for (const part of ["Maren Oduya has published a story:", "Salt & *Other* Things\nhttp://inkstead.test/post/salt", "On [salt]."])
      expect(email?.text).toContain(part);
    expect(email?.headers?.["List-Unsubscribe"]).toContain("about=story");
    await setPostStatus(site, maren, "salt", "inactive");
    await setPostStatus(site, maren, "salt", "active");
    expect(await sent()).toEqual([]);
  });

  test("aren’t sent for unpublished stories, by blocked members, or a day late", async () => {
    const { site, maren, tobias } = world;
    await wantEach(tobias);
    await publish("salt");
    await setPostStatus(site, maren, "salt", "inactive");
    expect(await sent()).toEqual([]);
    await publish("tide");
    await setBlocked(site, tobias, maren.id, true);
    expect(await sent()).toEqual([]);
    await setBlocked(site, tobias, maren.id, false);
    await publish("moor");
    expect(await sent(24 * hour)).toEqual([]);
    expect(await site.db.selectFrom("story_emails").selectAll().execute()).toEqual([]);
  });

  test("are sent after a correction that takes longer than the delay, or a hold", async () => {
    const { site, maren, tobias, ruth } = world;
    await wantEach(tobias);
    await publish("salt");
    await publish("tide");
    await setPostStatus(site, maren, "salt", "inactive");
    await holdPost(site, ruth, "tide", { reason: "why" });
    for (let time = 0; time < 3; time++) expect(await sent()).toEqual([]);
    await setPostStatus(site, maren, "salt", "active");
    await setPostStatus(site, ruth, "tide", "active");
    expect(await sent()).toHaveLength(2);
    expect(await sent()).toEqual([]);
  });

  test("are sent in batches by several concurrent processes, once to each follower", async () => {
    const names = Array.from({ length: 230 }, (_, index) => `Reader ${index}`);
    for (const name of names) await wantEach(await addMember(world, name));
    await publish("salt");
    world.clock.advance(newPostEmailDelayMs);
    world.emails.length = 0;
    const counts = await Promise.all(Array.from({ length: 3 }, () => sendNewPostEmails(world.site)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(230);
    expect(new Set(world.emails.map(({ to }) => to)).size).toBe(230);
    expect(world.emails).toHaveLength(230);
  });
});

test("first emails at the same time have the same unsubscribe link", async () => {
  const links = await Promise.all(
    Array.from({ length: 8 }, () =>
      transaction(world.site, async (tx) => (await unsubscribeLink(tx, world.maren.id, "like")).unsubscribeUrl),
    ),
  );
  const rows = await world.site.db.selectFrom("notification_settings").select("token").where("userId", "=", world.maren.id).execute();
  expect(new Set(links)).toEqual(new Set([`http://inkstead.test/notifications/stop?about=like&token=${rows[0]?.token}`]));
});
