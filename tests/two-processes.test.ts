import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Site, transaction } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { listenerName } from "#platform/events/postgres-listener.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { openTab } from "./live-tab.ts";
import { type RunningServer, startServer } from "./process.ts";

let first: RunningServer;
let second: RunningServer;
let site: Site;
beforeEach(async () => {
  first = await startServer({}, "postgres");
  const { DATABASE_URL = "", SECRET = "" } = first.environment;
  second = await startServer({ DATABASE_URL, SECRET });
  site = await openSite(readConfig(first.environment), createLog("silent"));
});
afterEach(async () => {
  await closeSite(site);
  await second.close();
  await first.close();
});

test("what is published is heard in every process in one order, also in one that was cut off", async () => {
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
  for (const tab of tabs) await expect.poll(tab.types, { timeout: 8_000 }).toEqual(written);
  expect(tabs[0]?.events()).toEqual(tabs[1]?.events());
});
