import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "#platform/config.ts";
import { createPoster } from "#platform/fetch/poster.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openPushService, type PushService, type TestBrowser } from "../../tests/support/push/push-service.ts";
import { until } from "../../tests/support/until.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import { setFollow } from "../follows/follows.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import type { ConfigurableKind } from "../notifications/kinds.ts";
import { saveNotificationSettings } from "../notifications/preferences.server.ts";
import { deletePost } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { newPostEmailDelayMs } from "../posts/visibility.server.ts";
import { addPushDevice, listPushDevices } from "../push/push-devices.server.ts";
import { pushDelayMs } from "../push/push-queue.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import type { Member } from "../site.ts";
import { markAllRead } from "./marking.server.ts";
import { sendNewPostEmails } from "./new-post-emails.server.ts";
import { sendPushes } from "./pushes.server.ts";

let world: World;
let service: PushService;
let maren: Member;
let phone: TestBrowser;
beforeEach(async () => {
  [world, service] = [await openWorld(), await openPushService()];
  service.connect(world.site);
  await addPost(world, world.maren, { id: "spoon", title: "The *Spoon*" });
  maren = (await signIn(world, world.maren)).member;
  phone = service.browser("phone");
  await addPushDevice(world.site, maren, phone.device);
});
afterEach(async () => {
  service.close();
  await world.close();
});

const later = async (by = pushDelayMs.bundle) => {
  world.clock.advance(by);
  return sendPushes(world.site);
};
const shown = () => service.received.map(({ body }) => phone.read(body));
const titles = () => shown().map(({ title }) => title);
const want = (kind: ConfigurableKind, push: boolean, quiet?: { from: number; to: number }) =>
  saveNotificationSettings(world.site, maren, {
    preferences: { [kind]: { onSite: true, email: "never", push } },
    timeZone: "UTC",
    ...(quiet && { quiet }),
  });

describe("a device shows", () => {
  test("the text of the notification, encrypted for it and signed by the site", async () => {
    await setLike(world.site, world.tobias, "spoon", true);
    expect(await later(pushDelayMs.bundle - 1)).toBe(0);
    await setLike(world.site, world.ruth, "spoon", true);
    expect(await later(1)).toBe(1);
    expect(shown()).toEqual([
      { title: "Ruth Castellanos and Tobias Lindqvist liked “The *Spoon*”", tag: expect.stringMatching(/^like:\d+$/), url: "/post/spoon" },
    ]);
    const { path = "", headers = {}, body = Buffer.alloc(0), vapid } = service.received[0] ?? {};
    expect([path, headers["content-encoding"], headers.ttl, headers.cookie]).toEqual(["/phone", "aes128gcm", "86400", undefined]);
    expect(vapid).toMatchObject({ aud: service.url, sub: "http://inkstead.test" });
    expect(body.includes("Ruth")).toBe(false);
    expect(() => service.browser("another").read(body)).toThrow();
  });

  test("a message’s sender and never its text", async () => {
    await sendMessage(world.site, world.tobias, { to: maren.id, text: "A secret between us", sendId: "1" });
    await sendMessage(world.site, world.tobias, { to: maren.id, text: "Another secret", sendId: "2" });
    expect(await later(pushDelayMs.message)).toBe(1);
    expect(shown()).toEqual([
      { title: "2 unread messages from Tobias Lindqvist", tag: `message:${world.tobias.id}`, url: `/messages/${world.tobias.id}` },
    ]);
    await sendMessage(world.site, world.tobias, { to: maren.id, text: "And a third", sendId: "3" });
    expect(await later(pushDelayMs.message)).toBe(1);
    expect(titles().at(-1)).toBe("3 unread messages from Tobias Lindqvist");
  });

  test("new stories of followed members after the delay for corrections", async () => {
    await setFollow(world.site, maren, { userId: world.tobias.id, following: true });
    world.clock.advance(1);
    await addPost(world, world.tobias, { id: "tide", title: "Tide", status: "inactive" });
    await setPostStatus(world.site, world.tobias, "tide", "active");
    world.clock.advance(newPostEmailDelayMs);
    expect(await sendNewPostEmails(world.site)).toBe(0);
    expect(await sendPushes(world.site)).toBe(1);
    expect(shown()).toMatchObject([{ title: "Tobias Lindqvist published “Tide”", url: "/post/tide" }]);
    expect(await sendNewPostEmails(world.site)).toBe(0);
  });

  test("decisions, without their subject", async () => {
    await deletePost(world.site, world.ruth, "spoon", { reason: "It was a fork" });
    expect(await sendPushes(world.site)).toBe(1);
    expect(shown()).toMatchObject([{ title: "Your story was deleted", url: expect.stringMatching(/^\/notices\//) }]);
  });
});

test("of a kind that is off on the site, each new bundle is pushed to each device", async () => {
  const laptop = service.browser("laptop");
  await addPushDevice(world.site, (await signIn(world, world.maren)).member, laptop.device);
  await saveNotificationSettings(world.site, maren, { preferences: { like: { onSite: false, email: "never", push: true } } });
  const titlesOf = (browser: TestBrowser, path: string) =>
    service.received.filter((each) => each.path === path).map(({ body }) => browser.read(body).title);
  await setLike(world.site, world.tobias, "spoon", true);
  await setLike(world.site, world.ruth, "spoon", true);
  expect(await later()).toBe(2);
  await setLike(world.site, world.salma, "spoon", true);
  expect(await later()).toBe(2);
  const expected = [expect.stringContaining("Tobias Lindqvist"), "Salma Rahimi liked “The *Spoon*”"];
  expect([titlesOf(phone, "/phone"), titlesOf(laptop, "/laptop")]).toEqual([expected, expected]);
});

describe("no push is sent", () => {
  test("for entries read, undone or turned off meanwhile", async () => {
    await setLike(world.site, world.tobias, "spoon", true);
    await markAllRead(world.site, maren, { until: world.site.now() });
    expect(await later()).toBe(0);
    await setFollow(world.site, world.tobias, { userId: maren.id, following: true });
    await setFollow(world.site, world.tobias, { userId: maren.id, following: false });
    expect(await later()).toBe(0);
    await setBookmark(world.site, world.tobias, "spoon", true);
    expect(await later()).toBe(0);
    await want("follower", false);
    await setFollow(world.site, world.ruth, { userId: maren.id, following: true });
    expect(await later()).toBe(0);
    expect(service.received).toEqual([]);
  });

  test("in quiet hours, only after them", async () => {
    world.clock.set(Date.parse("2026-11-23T23:00:00Z"));
    await want("like", true, { from: 22 * 60, to: 7 * 60 });
    await setLike(world.site, world.tobias, "spoon", true);
    expect(await later()).toBe(0);
    world.clock.set(Date.parse("2026-11-24T07:00:00Z"));
    expect(await sendPushes(world.site)).toBe(1);
  });

  test("for entries that are a day old", async () => {
    await setLike(world.site, world.tobias, "spoon", true);
    world.clock.advance(pushDelayMs.bundle + 24 * 60 * 60_000);
    expect([await sendPushes(world.site), await sendPushes(world.site)]).toEqual([0, 0]);
    expect(await waiting()).toBe(0);
  });

  test("to a device whose session has ended", async () => {
    await setLike(world.site, world.tobias, "spoon", true);
    await world.site.db
      .deleteFrom("sessions")
      .where("id", "=", maren.sessionId ?? "")
      .execute();
    expect(await later()).toBe(0);
    expect(await waiting()).toBe(0);
  });
});

const waiting = async () => (await world.site.db.selectFrom("pushes").select("number").execute()).length;

test("of several concurrent processes one sends to each device", async () => {
  const another = await openSite(readConfig(world.environment), createLog("silent"));
  service.connect(another);
  const laptop = service.browser("laptop");
  await addPushDevice(world.site, (await signIn(world, world.maren)).member, laptop.device);
  await setLike(world.site, world.tobias, "spoon", true);
  world.clock.advance(pushDelayMs.bundle);
  const sent = await Promise.all([world.site, another, world.site, another].map((each) => sendPushes(each)));
  await closeSite(another);
  expect(sent.reduce((sum, each) => sum + each)).toBe(2);
  expect(service.received.map(({ path }) => path).sort()).toEqual(["/laptop", "/phone"]);
});

test("a member’s silent devices delay nobody else, and are tried once before all their pushes are put off", async () => {
  const { site, tobias, ruth } = world;
  for (let index = 0; index < 10; index++) {
    await addPushDevice(site, (await signIn(world, tobias)).member, service.browser(`silent-${index}`).device);
    service.silent.add(`/silent-${index}`);
  }
  for (let index = 0; index < 12; index++) {
    await addPost(world, tobias, { id: `bait-${index}` });
    await setLike(site, ruth, `bait-${index}`, true);
  }
  world.clock.advance(1);
  await setLike(site, tobias, "spoon", true);
  const sending = later();
  await until(() => expect(titlesOfPhone()).toEqual(["Tobias Lindqvist liked “The *Spoon*”"]));
  service.cut();
  expect([await sending, silentRequests(), await waiting()]).toEqual([1, 10, 120]);
  expect([await later(60_000 - 1), silentRequests()]).toEqual([0, 10]);
  // One run reads 100 of the 120 pushes, which may be those of nine devices.
  expect([await later(1), await later(0), silentRequests()]).toEqual([0, 0, 20]);
});

test("a member whose push service is silent is left out by the next run, which sends the others’", async () => {
  const { site, tobias, ruth } = world;
  await addPushDevice(site, (await signIn(world, tobias)).member, service.browser("silent").device);
  service.silent.add("/silent");
  await sendMessage(site, ruth, { to: tobias.id, text: "Hello", sendId: "1" });
  world.clock.advance(pushDelayMs.message);
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  const first = sendPushes(site, resolve);
  await isRead;
  await sendMessage(site, ruth, { to: maren.id, text: "Hello", sendId: "2" });
  expect(await later(pushDelayMs.message)).toBe(1);
  service.cut();
  expect([await first, titlesOfPhone(), silentRequests()]).toEqual([0, ["An unread message from Ruth Castellanos"], 1]);
});

const titlesOfPhone = () => service.received.filter(({ path }) => path === "/phone").map(({ body }) => phone.read(body).title);
const silentRequests = () => service.received.filter(({ path }) => path.startsWith("/silent")).length;

describe("a push device that", () => {
  const devices = () => listPushDevices(world.site, maren);

  test.each([404, 410])("is gone (%i) is removed", async (status) => {
    service.answer = { status };
    await setLike(world.site, world.tobias, "spoon", true);
    await later();
    expect([await devices(), await waiting()]).toEqual([[], 0]);
  });

  test("can’t be reached is tried again, after its Retry-After", async () => {
    service.answer = { status: 429, headers: { "retry-after": "600" } };
    await setLike(world.site, world.tobias, "spoon", true);
    expect([await later(), service.received.length]).toEqual([0, 1]);
    service.answer = { status: 201 };
    expect(await later(600_000 - 1)).toBe(0);
    expect(await later(1)).toBe(1);
    expect(titles()).toEqual(Array(2).fill("Tobias Lindqvist liked “The *Spoon*”"));
    expect(await waiting()).toBe(0);
  });

  test("rejects ten pushes in a row is removed", async () => {
    service.answer = { status: 403 };
    for (let index = 0; index < 10; index++) {
      expect(await devices()).toHaveLength(1);
      await sendMessage(world.site, world.tobias, { to: maren.id, text: "Hello", sendId: String(index) });
      await later(60 * 60_000);
    }
    expect(await devices()).toEqual([]);
  });

  test.each(["the service", "our own network"])("stays registered during a long outage of %s", async (down) => {
    if (down === "the service") service.answer = { status: 500 };
    else Object.assign(world.site, { poster: createPoster({ resolve: () => Promise.reject(new Error("getaddrinfo EAI_AGAIN")) }) });
    for (let index = 0; index < 12; index++) {
      await sendMessage(world.site, world.tobias, { to: maren.id, text: "Hello", sendId: String(index) });
      await later(4 * 60 * 60_000);
    }
    expect(await devices()).toHaveLength(1);
  });

  test("redirects is not followed", async () => {
    service.answer = { status: 307, headers: { location: "https://127.0.0.1/inside" } };
    await setLike(world.site, world.tobias, "spoon", true);
    await later();
    expect([service.received.length, await waiting()]).toEqual([1, 0]);
  });

  test("has moved to a private network gets nothing", async () => {
    Object.assign(world.site, { poster: createPoster({ resolve: async () => ["10.0.0.7"] }) });
    await setLike(world.site, world.tobias, "spoon", true);
    expect(await later()).toBe(0);
    expect(service.received).toEqual([]);
  });
});
