import { afterEach, expect, inject, test } from "vitest";
import type { Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { openTab } from "./faults/live-tab.ts";
import { type RunningServer, startServer } from "./support/process.ts";
import { publish as publishEvents } from "./support/publish.ts";

let server: RunningServer;
let site: Site;
afterEach(async () => {
  await closeSite(site);
  await server.close();
});

const publish = (type: string) => publishEvents(site, { topic: "posts", type });

test("a stopping server closes its live sockets, and they receive missed events after the restart", async () => {
  server = await startServer({}, inject("engine"));
  // The same site, opened in this process.
  site = await openSite(readConfig(server.environment), createLog("silent"));
  const tab = await openTab(server);
  await publish("one");
  await expect.poll(tab.types).toEqual(["one"]);
  expect(await server.stop()).toBe(0);
  expect((await tab.closed)[0]).toBe(1001);
  await publish("two");
  await server.start();
  const again = await openTab(server, tab.events()[0]?.cursor);
  await publish("three");
  await expect.poll(again.types).toEqual(["two", "three"]);
});
