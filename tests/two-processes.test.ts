import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signOut } from "#domain/accounts/accounts.server.ts";
import { grantAdministrator, revokeAdministrator } from "#domain/accounts/administrators.server.ts";
import { suspendMember } from "#domain/moderation/suspensions.server.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import { transaction } from "#domain/site.ts";
import { listenerName } from "#platform/events/postgres-listener.ts";
import { openTab } from "./live-tab.ts";
import { addMember, signIn } from "./members.ts";
import { startTwoServers, type TwoServers } from "./two-servers.ts";

/** Milliseconds after which a process looks by itself. */
const lookAnyway = 5_000;

let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers();
});
afterAll(() => servers?.close());

test("a setting saved on one process holds on the other, by being told and not by looking", async () => {
  const { first, second, site } = servers;
  const pages = () => Promise.all([first, second].map(async ({ url }) => (await fetch(`${url}/`)).status));
  expect(await pages()).toEqual([200, 200]);
  const ruth = await addMember({ site }, "Ruth Castellanos", { admin: true });
  for (const [maintenanceMode, status] of [
    [true, 503],
    [false, 200],
  ] as const) {
    await saveSettings(site, ruth, { maintenanceMode, siteName: `Night Bus ${status}` });
    const begun = performance.now();
    await expect.poll(pages, { timeout: lookAnyway - 500, interval: 50 }).toEqual([status, status]);
    console.info(`a setting held on both processes after ${Math.round(performance.now() - begun)} ms`);
    for (const { url } of [first, second]) expect(await (await fetch(`${url}/login`)).text()).toContain(`Night Bus ${status}`);
  }
});

test("who has signed out, been suspended or demoted is so at once on every process, also on one that hears of nothing", async () => {
  const { first, second, site } = servers;
  const deafen = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${listenerName} and datname = current_database()`.execute(site.db);
  const ruth = await addMember({ site }, "Ruth Overseer", { admin: true });
  const una = await addMember({ site }, "Una Member");
  const { cookie, member } = await signIn({ site }, una);
  const statuses = (path: string) =>
    Promise.all([first, second].map(async ({ url }) => (await fetch(`${url}${path}`, { headers: { cookie }, redirect: "manual" })).status));
  // Twice: the second time it is remembered.
  for (let times = 0; times < 2; times++)
    expect([await statuses("/profile"), await statuses("/admin")]).toEqual([
      [200, 200],
      [302, 302],
    ]);
  await deafen();
  await grantAdministrator(site, una.email);
  expect(await statuses("/admin")).toEqual([200, 200]);
  await deafen();
  await revokeAdministrator(site, una.email);
  expect(await statuses("/admin")).toEqual([302, 302]);
  await suspendMember(site, ruth, una.id, { days: 1, reason: "Insults" });
  expect(await statuses("/edit-profile")).toEqual([302, 302]);
  await deafen();
  await signOut(site, member);
  expect(await statuses("/profile")).toEqual([302, 302]);
});

test("what is published is heard in every process in one order, also in one that was cut off", async () => {
  const { first, second, site } = servers;
  const tabs = [await openTab(first), await openTab(second)];
  const written: string[] = [];
  const publish = async (type: string) => {
    written.push(type);
    await transaction(site, async (tx) => tx.publish({ topic: "posts", type }));
  };
  await publish("before");
  for (const tab of tabs) await expect.poll(tab.types).toEqual(["before"]);
  for (let round = 0; round < 3; round++) {
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${listenerName} and datname = current_database()`.execute(site.db);
    if (round === 0) expect(rows).toHaveLength(3);
    for (let i = 0; i < 20; i++) await publish(`${round}.${i}`);
  }
  for (const tab of tabs) await expect.poll(tab.types).toEqual(written);
  expect(tabs[0]?.events()).toEqual(tabs[1]?.events());
});
