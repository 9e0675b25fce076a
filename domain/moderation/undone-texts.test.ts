import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resetProfile } from "#domain/moderation/profiles/reset-profile.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { headingOf } from "../notification-channels/entry.ts";
import { listNotifications } from "../notification-channels/list.server.ts";
import { markAllRead, markRead } from "../notification-channels/marking.server.ts";
import { readShellCounts } from "../pages/shell.server.ts";
import { deletePost } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { setLike } from "../reactions/reactions.server.ts";
import { listNotices, readNotice } from "./notices.server.ts";
import { suspendMember } from "./suspensions.server.ts";
import { undoModerationAction } from "./undo.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
  await addPost(world, world.maren, { id: "moor", title: "The Moor" });
  await addPost(world, world.maren, { id: "sketch", title: "A Sketch", status: "inactive" });
});
afterEach(() => world.close());

const why = { reason: "It names a neighbour" };
const latest = async () => (await listNotices(world.site, world.maren))[0]?.id ?? "";
const bell = async () => (await readShellCounts(world.site, world.maren)).notifications;
const notifications = async () =>
  (await listNotifications(world.site, world.maren, { limit: 20 })).entries.map((entry) => [headingOf(entry), entry.isRead]);
const readAll = () => markAllRead(world.site, world.maren, { until: world.site.now() });
const lastEmail = async () => {
  await world.site.background.settled();
  return world.emails.filter(({ to }) => to === world.maren.email).at(-1);
};

const decisions: [name: string, decide: () => Promise<void>, title: string, meaning: string][] = [
  ["a held story", () => holdPost(world.site, world.ruth, "moor", why), "Your story is live again", "Readers can see it."],
  ["a held draft", () => holdPost(world.site, world.ruth, "sketch", why), "Your story was released", "edit and publish"],
  [
    "an unpublished story",
    async () => void (await setPostStatus(world.site, world.ruth, "moor", "inactive", why)),
    "Your story is live again",
    "Readers can see it.",
  ],
  ["a deleted story", () => deletePost(world.site, world.ruth, "moor", why), "Your story is live again", "Readers can see it."],
  ["a deleted draft", () => deletePost(world.site, world.ruth, "sketch", why), "Your story was restored", "edit and publish"],
  ["a reset profile", () => resetProfile(world.site, world.ruth, world.maren.id, why), "Your profile was restored", "are back"],
  [
    "a suspension",
    () => suspendMember(world.site, world.ruth, world.maren.id, { days: 3, ...why }),
    "Your suspension was lifted",
    "You can publish",
  ],
];

describe("undoing is announced like the action", () => {
  test.each(decisions)("%s", async (_name, decide, title, meaning) => {
    await decide();
    const id = await latest();
    await readAll();
    world.clock.advance(60_000);
    await setLike(world.site, world.tobias, "moor", true).catch(() => {});
    await readAll();
    world.clock.advance(60_000);
    await undoModerationAction(world.site, world.ruth, id);
    expect(await bell()).toBe(1);
    expect((await notifications())[0]).toEqual([title, false]);
    const email = await lastEmail();
    expect(email?.subject).toBe(`${title} (Inkstead)`);
    expect(email?.text).toContain(meaning);
    expect(email?.text).toContain(`/notices/${id}`);
    await readNotice(world.site, world.maren, id);
    expect(await bell()).toBe(0);
  });
});

test("undoing a deletion of a held story says that it is being reviewed again", async () => {
  await holdPost(world.site, world.ruth, "moor", why);
  await deletePost(world.site, world.ruth, "moor", why);
  await undoModerationAction(world.site, world.ruth, await latest());
  expect((await notifications())[0]).toEqual(["Your story was restored", false]);
  expect((await lastEmail())?.text).toContain("being reviewed again");
});

test("an undone action is one notification, however it is marked as read", async () => {
  await holdPost(world.site, world.ruth, "moor", why);
  const id = await latest();
  world.clock.advance(60_000);
  await undoModerationAction(world.site, world.ruth, id);
  expect(await notifications()).toEqual([["Your story is live again", false]]);
  const unread = await listNotifications(world.site, world.maren, { limit: 20, onlyUnread: true });
  expect(unread.entries.map((entry) => [entry.id, entry.at])).toEqual([[`decision:${id}`, world.site.now()]]);
  await markAllRead(world.site, world.maren, { until: world.site.now() - 1 });
  expect(await bell()).toBe(1);
  await markRead(world.site, world.maren, [`decision:${id}`]);
  expect([await bell(), await notifications()]).toEqual([0, [["Your story is live again", true]]]);
});

test("pages of notifications continue after an undone action", async () => {
  const ids: string[] = [];
  for (const id of ["moor", "sketch"]) {
    await holdPost(world.site, world.ruth, id, why);
    ids.push(await latest());
    world.clock.advance(60_000);
  }
  await undoModerationAction(world.site, world.ruth, ids[0] ?? "");
  const first = await listNotifications(world.site, world.maren, { limit: 1 });
  const second = await listNotifications(world.site, world.maren, { limit: 1, after: first.next });
  expect([...first.entries, ...second.entries].map(({ id }) => id)).toEqual(ids.map((id) => `decision:${id}`));
  expect(second.next).toBeNull();
});
