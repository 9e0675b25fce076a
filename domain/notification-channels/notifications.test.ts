import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeCursor } from "#platform/database/keyset.ts";
import { addPost } from "../../tests/support/posts.ts";
import { addMember, openWorld, password, type World } from "../../tests/support/world.ts";
import { deleteAccount } from "../account-deletion/delete-account.server.ts";
import { setFollow } from "../follows/follows.server.ts";
import { setBlocked } from "../messages/blocking.server.ts";
import { sendMessage } from "../messages/messages.server.ts";
import { markConversationRead } from "../messages/reading.server.ts";
import { answerAppeal, appeal } from "../moderation/appeals.server.ts";
import { readNotice } from "../moderation/notices.server.ts";
import { suspendMember } from "../moderation/suspensions.server.ts";
import type { NotificationKind } from "../notifications/kinds.ts";
import { saveNotificationSettings } from "../notifications/preferences.server.ts";
import { sweepNotifications } from "../notifications/sweep-notifications.server.ts";
import { readShellCounts } from "../pages/shell.server.ts";
import { deletePost } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { holdPost } from "../posts/visibility.server.ts";
import { setLike } from "../reactions/reactions.server.ts";
import { listReports } from "../reports/report-reads.server.ts";
import type { Member } from "../site.ts";
import { describeAsText, targetOf } from "./entry.ts";
import { listNotifications } from "./list.server.ts";
import { markAllRead, markRead } from "./marking.server.ts";

const day = 24 * 60 * 60 * 1000;

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await addPost(world, world.maren, { id: "spoon", title: "The Spoon" });
});
afterEach(() => world.close());

const list = (viewer: Member = world.maren, request: { kind?: NotificationKind; onlyUnread?: boolean } = {}) =>
  listNotifications(world.site, viewer, { limit: 20, ...request });
const texts = async (viewer?: Member) => (await list(viewer)).entries.map(describeAsText);
const count = async (viewer: Member = world.maren) => (await readShellCounts(world.site, viewer)).notifications;
const rows = () => world.site.db.selectFrom("notifications").selectAll().execute();
const like = async (by: Member, on = true, postId = "spoon") => {
  world.clock.advance(1);
  await setLike(world.site, by, postId, on);
};
const newMembers = (names: string[]) => Promise.all(names.map((name) => addMember(world, name)));

describe("a story by a followed member", () => {
  const publish = async (id: string, by = world.maren) => {
    world.clock.advance(1);
    await addPost(world, by, { id, title: id });
  };
  beforeEach(async () => {
    world.clock.advance(1);
    await setFollow(world.site, world.tobias, { userId: world.maren.id, following: true });
  });

  test("is listed without a row, if published after the follow", async () => {
    expect(await texts(world.tobias)).toEqual([]);
    const before = (await rows()).length;
    await publish("lamp");
    expect(await texts(world.tobias)).toEqual(["Maren Oduya published “lamp”"]);
    expect([await count(world.tobias), (await rows()).length]).toEqual([1, before]);
    await setPostStatus(world.site, world.maren, "lamp", "inactive");
    expect([await texts(world.tobias), await count(world.tobias)]).toEqual([[], 0]);
  });

  test("can be marked as read alone or with all others", async () => {
    await publish("lamp");
    await publish("moor");
    await markRead(world.site, world.tobias, ["story:lamp", "story:no-such"]);
    const read = async () => (await list(world.tobias, { kind: "story" })).entries.map(({ id, isRead }) => [id, isRead]);
    expect(await read()).toEqual([
      ["story:moor", false],
      ["story:lamp", true],
    ]);
    expect((await list(world.tobias, { onlyUnread: true })).entries.map(({ id }) => id)).toEqual(["story:moor"]);
    expect(await count(world.tobias)).toBe(1);
    const loadedAt = world.site.now();
    await publish("tide");
    await markAllRead(world.site, world.tobias, { until: loadedAt });
    expect(await count(world.tobias)).toBe(1);
    await markAllRead(world.site, world.tobias, { until: loadedAt - 1 });
    expect((await list(world.tobias, { onlyUnread: true })).entries.map(({ id }) => id)).toEqual(["story:tide"]);
  });

  test("is not listed if the author is blocked or suspended", async () => {
    await publish("lamp");
    await setBlocked(world.site, world.tobias, world.maren.id, true);
    expect([await texts(world.tobias), await count(world.tobias)]).toEqual([[], 0]);
    await setBlocked(world.site, world.tobias, world.maren.id, false);
    await suspendMember(world.site, world.ruth, world.maren.id, { days: 1, reason: "why" });
    expect([await texts(world.tobias), await count(world.tobias)]).toEqual([[], 0]);
    world.clock.advance(2 * day);
    expect(await count(world.tobias)).toBe(1);
    world.clock.advance(90 * day);
    expect([await texts(world.tobias), await count(world.tobias)]).toEqual([[], 0]);
  });
});

test("unread messages are listed, but not counted by the bell, until their conversation is opened", async () => {
  const { site, maren, tobias } = world;
  for (const sendId of ["1", "2"]) await sendMessage(site, tobias, { to: maren.id, text: "Hello", sendId });
  const { entries } = await list();
  expect(entries.map((entry) => [describeAsText(entry), targetOf(entry)])).toEqual([
    ["2 unread messages from Tobias Lindqvist", `/messages/${tobias.id}`],
  ]);
  expect(await count()).toBe(0);
  await markAllRead(site, maren, { until: site.now() });
  expect(await texts()).toHaveLength(1);
  await markConversationRead(site, maren, tobias.id);
  expect(await texts()).toEqual([]);
});

test("decisions and answers are marked as read on their page, or with all others", async () => {
  const { site, maren, ruth } = world;
  await holdPost(site, ruth, "spoon", { reason: "Whose is it?" });
  const decision = (await list()).entries[0];
  expect([decision?.kind, decision?.isRead, await count()]).toEqual(["decision", false, 1]);
  const id = decision?.kind === "decision" ? decision.notice.id : "";
  await readNotice(site, maren, id);
  expect(await count()).toBe(0);
  await appeal(site, maren, id, "Mine");
  world.clock.advance(1);
  const report = (await listReports(site, ruth, { status: "pending", limit: 1 })).reports[0]?.id ?? "";
  await answerAppeal(site, ruth, report, { grant: false, answer: "It is not" });
  const [answer] = (await list(maren, { onlyUnread: true })).entries;
  expect([answer?.kind, answer && targetOf(answer), await count()]).toEqual(["answer", `/notices/${id}`, 1]);
  await markRead(site, world.tobias, [answer?.id ?? ""]);
  expect(await count()).toBe(1);
  await markAllRead(site, maren, { until: site.now(), kind: "like" });
  expect(await count()).toBe(1);
  await markAllRead(site, maren, { until: site.now() });
  expect([await count(), (await list()).entries.map(({ isRead }) => isRead)]).toEqual([0, [true, true]]);
});

describe("no notification", () => {
  test("is caused by blocked members, or by suspended ones during the suspension", async () => {
    const { site, maren } = world;
    const [ana, ben] = (await newMembers(["Ana", "Ben"])) as [Member, Member];
    await like(ana);
    await like(ben);
    await setBlocked(site, maren, ben.id, true);
    expect(await texts()).toEqual(["Ana liked “The Spoon”"]);
    await suspendMember(site, world.ruth, ana.id, { days: 1, reason: "why" });
    expect([await texts(), await count()]).toEqual([[], 0]);
    await like(ben, false);
    await like(ben);
    expect([await texts(), await count()]).toEqual([[], 0]);
  });

  test("is listed for a story that isn’t public any more", async () => {
    await like(world.tobias);
    await setPostStatus(world.site, world.maren, "spoon", "inactive");
    expect([await texts(), await count()]).toEqual([[], 0]);
    await setPostStatus(world.site, world.maren, "spoon", "active");
    expect(await count()).toBe(1);
    await deletePost(world.site, world.maren, "spoon");
    expect([await texts(), await rows()]).toEqual([[], []]);
  });

  test("remains from or to a deleted account", async () => {
    await like(world.tobias);
    await setFollow(world.site, world.tobias, { userId: world.maren.id, following: true });
    await like(world.ruth);
    await deleteAccount(world.site, world.tobias, password);
    expect(await texts()).toEqual(["Ruth Castellanos liked “The Spoon”"]);
    expect(await rows()).toHaveLength(1);
    await deleteAccount(world.site, world.maren, password);
    expect(await rows()).toEqual([]);
  });

  test("is listed of a kind that is turned off on the site", async () => {
    const { site, maren, tobias } = world;
    await like(tobias);
    await saveNotificationSettings(site, maren, { preferences: { like: { onSite: false, email: "never" } } });
    expect([await texts(), await count()]).toEqual([[], 0]);
    await like(world.ruth);
    expect(await rows()).toHaveLength(1);
    await saveNotificationSettings(site, tobias, { preferences: { story: { onSite: false, email: "never" } } });
    await setFollow(site, tobias, { userId: maren.id, following: true });
    world.clock.advance(1);
    await addPost(world, maren, { id: "lamp" });
    expect([await texts(tobias), await readShellCounts(site, tobias)]).toMatchObject([[], { notifications: 0, posts: false }]);
  });

  test("is visible to visitors or other members", async () => {
    await like(world.tobias);
    await expect(listNotifications(world.site, null, { limit: 20 })).rejects.toMatchObject({ code: "sign-in-required" });
    const [entry] = (await list()).entries;
    await markRead(world.site, world.tobias, [entry?.id ?? "", "like:x", "", "nonsense"]);
    expect(await count()).toBe(1);
  });
});

test("pages continue across all kinds, also with equal times", async () => {
  const { site, maren, tobias, ruth } = world;
  await setFollow(site, maren, { userId: tobias.id, following: true });
  for (let index = 0; index < 6; index++) {
    if (index % 2 === 0) world.clock.advance(1);
    await addPost(world, maren, { id: `own-${index}`, title: "Own" });
    await setLike(site, tobias, `own-${index}`, true);
    await addPost(world, tobias, { id: `theirs-${index}`, title: "Theirs" });
    if (index % 3 === 0) await holdPost(site, ruth, `own-${index}`, { reason: "why" });
    await sendMessage(site, index > 2 ? tobias : ruth, { to: maren.id, text: "Hello", sendId: `${index}` });
  }
  const whole = (await listNotifications(site, maren, { limit: 100 })).entries.map(({ id }) => id);
  expect(whole).toHaveLength(4 + 6 + 2 + 2);
  const paged: string[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page: Awaited<ReturnType<typeof listNotifications>> = await listNotifications(site, maren, { limit: 3, after });
    paged.push(...page.entries.map(({ id }) => id));
    after = page.next;
  }
  expect(paged).toEqual(whole);
});

test.each([0, 1, 2, 3, 4, 5, -1])("a changed cursor in source %i is an invalid one or lists what is older", async (rank) => {
  await like(world.tobias);
  const all = (await list()).entries.map(({ id }) => id);
  for (const key of ["x", "9".repeat(40), "1e999", "-1", ""]) {
    const { entries } = await listNotifications(world.site, world.maren, { limit: 20, after: writeCursor([1, rank, key]) });
    expect([[], all], key).toContainEqual(entries.map(({ id }) => id));
  }
});

test("the sweep removes entries read 90 days ago and keeps unread ones", async () => {
  await like(world.tobias);
  await markAllRead(world.site, world.maren, { until: world.site.now() });
  await like(world.ruth);
  world.clock.advance(90 * day - 10);
  await sweepNotifications(world.site);
  expect(await rows()).toHaveLength(2);
  world.clock.advance(10);
  await sweepNotifications(world.site);
  expect((await rows()).map(({ readAt }) => readAt)).toEqual([null]);
});

test("each of a member’s tabs gets an event", async () => {
  const received: string[] = [];
  world.site.events.subscribe(`user:${world.maren.id}`, ({ type }) => received.push(type));
  await like(world.tobias);
  await expect.poll(() => received).toEqual(["notification.changed"]);
  await markAllRead(world.site, world.maren, { until: world.site.now() });
  await expect.poll(() => received).toHaveLength(2);
});
