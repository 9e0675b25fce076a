import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillSite } from "../../tests/support/fill-site.ts";
import { addPost } from "../../tests/support/posts.ts";
import { updateStatistics, watchQueries } from "../../tests/support/queries.ts";
import { plansOf } from "../../tests/support/query-plans.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { saveNotificationSettings } from "../notifications/preferences.server.ts";
import { sweepNotifications } from "../notifications/sweep-notifications.server.ts";
import { readShellCounts } from "../pages/shell.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { setBookmark, setLike } from "../reactions/reactions.server.ts";
import type { Site } from "../site.ts";
import { sendBundleEmails } from "./bundle-emails.server.ts";
import { sendDigests } from "./digests.server.ts";
import { listNotifications } from "./list.server.ts";
import { markAllRead, markRead } from "./marking.server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await fillSite(world);
  const { site, maren, tobias } = world;
  const [own, each] = [sql.lit(maren.id), sql`id`];
  for (const [follower, followed] of [
    [own, each],
    [each, own],
  ] as const)
    await sql`insert into follows (id, "followerId", "followedId", "createdAt")
      select 'f' || ${follower} || ${followed}, ${follower}, ${followed}, 0 from users
      where id like 'member-%'`.execute(site.db);
  await saveNotificationSettings(site, maren, { preferences: { like: { onSite: true, email: "at-once" } } });
  for (let index = 0; index < 30; index++) {
    await addPost(world, maren, { id: `own-${index}` });
    await setLike(site, tobias, `own-${index}`, true);
  }
  await sql`insert into likes (id, "postId", "userId", "createdAt")
    select 'l' || id, 'own-1', id, ${site.now()} from users where id like 'member-%'`.execute(site.db);
  await updateStatistics(site);
});
afterAll(() => world.close());

const tables =
  "notifications|notification_preferences|notification_settings|posts|likes|bookmarks|follows|participants|users|profiles|reports|moderation_actions|blocks|outbox";
const whole = new RegExp(`^SCAN (?!\\w+ USING)(${tables}|n|a|f|p|c|u|s)\\b|Seq Scan on (${tables})\\b`);

const reads: [string, (site: Site) => Promise<unknown>][] = [
  ["the header’s counts", (site) => readShellCounts(site, world.maren)],
  ["all notifications", (site) => listNotifications(site, world.maren, { limit: 20 })],
  ["a later page", async (site) => listNotifications(site, world.maren, { limit: 20, after: await nextPage() })],
  ["unread notifications", (site) => listNotifications(site, world.maren, { limit: 20, onlyUnread: true })],
  ["likes", (site) => listNotifications(site, world.maren, { limit: 20, kind: "like" })],
  ["new stories", (site) => listNotifications(site, world.maren, { limit: 20, kind: "story", onlyUnread: true })],
  ["due emails", (site) => sendBundleEmails(site)],
  ["due digests", (site) => sendDigests(site)],
  ["marking one as read", (site) => markRead(site, world.maren, ["like:1", "story:story-1", "decision:a", "answer:a"])],
  ["removing a like", (site) => setLike(site, world.tobias, "own-2", false)],
  ["marking all as read", (site) => markAllRead(site, world.maren, { until: world.site.now() })],
  ["the sweep", (site) => sweepNotifications(site)],
];
const nextPage = async () => (await listNotifications(world.site, world.maren, { limit: 20 })).next;

test.each(reads)("%s uses indexes", async (_name, read) => {
  const plans = await plansOf(world.site, read);
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter((step) => whole.test(step.trim()))).toEqual([]);
});

test("the stories of followed members are read per author everywhere", async () => {
  for (const [name, read] of reads.filter(([name]) => ["the header’s counts", "all notifications", "new stories"].includes(name))) {
    const plans = (await plansOf(world.site, read)).join("\n");
    expect(plans, name).toContain("posts_author");
    expect(plans, name).not.toContain("posts_newest");
  }
});

describe("a member with thousands of followers", () => {
  const rows = async () => (await world.site.db.selectFrom("notifications").select("number").execute()).length;
  const cost = async (work: (site: Site) => Promise<unknown>) => {
    const [before, watched] = [await rows(), watchQueries(world.site)];
    await work(watched.site);
    return { rows: (await rows()) - before, queries: watched.queries.length };
  };

  test("publishing a story writes no row per follower", async () => {
    const { maren, tobias } = world;
    await addPost(world, maren, { id: "followed", status: "inactive" });
    for (const id of ["first", "alone"]) await addPost(world, tobias, { id, status: "inactive" });
    // The first of all also sweeps rate limits.
    await setPostStatus(world.site, tobias, "first", "active");
    const alone = await cost((site) => setPostStatus(site, tobias, "alone", "active"));
    expect(await cost((site) => setPostStatus(site, maren, "followed", "active"))).toEqual({ ...alone, rows: 0 });
  });

  test("the first like and bookmark write one row each, later ones none", async () => {
    const { tobias, ruth } = world;
    await addPost(world, world.maren, { id: "popular" });
    expect((await cost((site) => setLike(site, tobias, "popular", true))).rows).toBe(1);
    expect((await cost((site) => setLike(site, ruth, "popular", true))).rows).toBe(0);
    expect((await cost((site) => setBookmark(site, ruth, "popular", true))).rows).toBe(1);
  });
});
