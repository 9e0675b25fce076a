import { afterEach, beforeEach, expect, test } from "vitest";
import { days, hours } from "#platform/time.ts";
import { addPost } from "../../tests/support/posts.ts";
import { openWorld, password, type World } from "../../tests/support/world.ts";
import { deleteAccount } from "../account-deletion/delete-account.server.ts";
import { dueAt, weekOf } from "./issue.ts";
import { listIssues } from "./issues.server.ts";
import { sendNewsletterWhenDue, sweepIssues } from "./sending.server.ts";
import { importSubscribers } from "./subscriber-files.server.ts";

let world: World;
let week: number;
beforeEach(async () => {
  world = await openWorld();
  week = weekOf(world.site.now()) + 1;
  world.clock.set(dueAt(week, world.site.settings));
  await addPost(world, world.maren, { id: "night-bus", createdAt: world.site.now() - hours(1), views: 7 });
  await importSubscribers(world.site, world.ruth, "reader-1@example.com,2026-01-02\nreader-2@example.com,2026-01-02");
});
afterEach(() => world.close());

const body = async () => (await world.site.db.selectFrom("newsletters").select("body").executeTakeFirstOrThrow()).body;
/** Sends no emails. */
const paused = () => ({ ...world.site, outbox: { wake: () => {}, close: () => {} } });

test("a newsletter's text is removed once no email needs it", async () => {
  await sendNewsletterWhenDue(paused());
  await sweepIssues(world.site);
  expect(await body()).toContain("night-bus");
  await world.site.outbox.wake(world.site);
  expect(world.emails).toHaveLength(2);
  await sweepIssues(world.site);
  expect(await body()).toBeNull();
  expect(await listIssues(world.site, world.ruth)).toMatchObject([{ week, subject: "", recipients: 2, sent: 2 }]);
});

test("a newsletter's text is removed with the account of a member whose story it has; its emails aren't sent", async () => {
  const { site, maren, tobias } = world;
  await addPost(world, tobias, { id: "night", createdAt: site.now() - days(60) });
  await sendNewsletterWhenDue(paused());
  await deleteAccount(paused(), tobias, password);
  expect(await body()).toContain("night-bus");
  await deleteAccount(paused(), maren, password);
  expect(await body()).toBeNull();
  await site.outbox.wake(site);
  expect(world.emails.filter(({ to }) => to.startsWith("reader"))).toEqual([]);
  expect(await site.db.selectFrom("outbox").select("address").where("kind", "=", "newsletter").execute()).toEqual([]);
});
