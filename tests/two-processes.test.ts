import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signOut } from "#domain/accounts/accounts.server.ts";
import { grantRole, revokeRole } from "#domain/accounts/staff-roles.server.ts";
import { suspendMember } from "#domain/moderation/suspensions.server.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import { listenerName } from "#platform/events/postgres-listener.ts";
import { openTab } from "./faults/live-tab.ts";
import { addMember, signIn } from "./support/members.ts";
import { publish as publishEvents } from "./support/publish.ts";
import { startTwoServers, type TwoServers } from "./support/two-servers.ts";
import { until } from "./support/until.ts";

/** A process checks by itself this often. */
const pollingIntervalMs = 5_000;

let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers();
});
afterAll(() => servers?.close());

const disconnectListeners = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${listenerName} and datname = current_database()`.execute(servers.site.db);

test("a setting saved on one process reaches the other by a notification, without polling", async () => {
  const { first, second, site } = servers;
  const pages = () => Promise.all([first, second].map(async ({ url }) => (await fetch(`${url}/`)).status));
  expect(await pages()).toEqual([200, 200]);
  const ruth = await addMember({ site }, "Ruth Castellanos", { staff: "administrator" });
  // Without notifications both changes would take at least that long. A busy machine may need another try.
  await until(async () => {
    const start = performance.now();
    for (const [maintenanceMode, status] of [
      [true, 503],
      [false, 200],
    ] as const) {
      await saveSettings(site, ruth, { maintenanceMode, siteName: `Night Bus ${status}` });
      await expect.poll(pages).toEqual([status, status]);
      for (const { url } of [first, second]) expect(await (await fetch(`${url}/login`)).text()).toContain(`Night Bus ${status}`);
    }
    const took = performance.now() - start;
    console.info(`two settings were in effect on both processes after ${Math.round(took)} ms`);
    expect(took).toBeLessThan(pollingIntervalMs);
  }, 90_000);
});

test("signing out, suspension and demotion take effect at once on every process, even without notifications", async () => {
  const { first, second, site } = servers;
  const ruth = await addMember({ site }, "Ruth Overseer", { staff: "administrator" });
  const una = await addMember({ site }, "Una Member");
  const { cookie, member } = await signIn({ site }, una);
  const statuses = (path: string) =>
    Promise.all([first, second].map(async ({ url }) => (await fetch(`${url}${path}`, { headers: { cookie }, redirect: "manual" })).status));
  // Twice: the second response comes from the cache.
  for (let times = 0; times < 2; times++)
    expect([await statuses("/profile"), await statuses("/admin")]).toEqual([
      [200, 200],
      [302, 302],
    ]);
  await disconnectListeners();
  await grantRole(site, null, una.email, "administrator");
  expect(await statuses("/admin")).toEqual([200, 200]);
  await disconnectListeners();
  await revokeRole(site, null, una.email);
  expect(await statuses("/admin")).toEqual([302, 302]);
  await suspendMember(site, ruth, una.id, { days: 1, reason: "Insults" });
  expect(await statuses("/edit-profile")).toEqual([302, 302]);
  await disconnectListeners();
  await signOut(site, member);
  expect(await statuses("/profile")).toEqual([302, 302]);
});

test("events reach every process in one order, even after a disconnection", async () => {
  const { first, second, site } = servers;
  const tabs = [await openTab(first), await openTab(second)];
  const written: string[] = [];
  const publish = async (type: string) => {
    written.push(type);
    await publishEvents(site, { topic: "posts", type });
  };
  await publish("before");
  for (const tab of tabs) await expect.poll(tab.types).toEqual(["before"]);
  const listeners = async () =>
    (await sql`select 1 from pg_stat_activity where application_name = ${listenerName} and datname = current_database()`.execute(site.db))
      .rows;
  await expect.poll(listeners).toHaveLength(3);
  for (let round = 0; round < 3; round++) {
    await disconnectListeners();
    for (let i = 0; i < 20; i++) await publish(`${round}.${i}`);
  }
  for (const tab of tabs) await expect.poll(tab.types).toEqual(written);
  expect(tabs[0]?.events()).toEqual(tabs[1]?.events());
});
