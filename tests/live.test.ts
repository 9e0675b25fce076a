import { once } from "node:events";
import { sql } from "kysely";
import { afterEach, describe, expect, inject, test } from "vitest";
import { WebSocket } from "ws";
import type { LiveAnswer, LiveEvent } from "#domain/live.ts";
import { transaction } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { listenerName } from "#platform/events/postgres-listener.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { type RunningServer, startServer } from "./process.ts";

const engine = inject("engine");
const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(chosen: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer(chosen, engine);
  closing.push(server.close);
  return server;
}

/** The same site opened by this process: where things are published. */
async function siteOf({ environment }: RunningServer) {
  const site = await openSite(readConfig(environment), createLog("silent"));
  closing.push(() => closeSite(site));
  return site;
}

async function listen({ url }: RunningServer, after?: string) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/live`, { headers: { origin: url } });
  const heard: LiveAnswer[] = [];
  socket.on("message", (data) => heard.push(JSON.parse(String(data)) as LiveAnswer));
  const closed = once(socket, "close") as Promise<[number]>;
  await once(socket, "open");
  socket.send(JSON.stringify({ subscribe: ["posts"], after }));
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  const events = () => heard.flatMap((answer): LiveEvent[] => ("event" in answer ? [answer.event] : []));
  return { socket, closed, events, types: () => events().map(({ type }) => type) };
}

const soon = { timeout: 8_000 };

describe("a process with open live sockets", () => {
  test("lets go of them when it is told to end, and they hear what they missed when it is back", async () => {
    const server = await start();
    const site = await siteOf(server);
    const publish = (type: string) => transaction(site, async (tx) => tx.publish({ topic: "posts", type }));
    const tab = await listen(server);
    await publish("one");
    await expect.poll(tab.types, soon).toEqual(["one"]);
    const begun = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect((await tab.closed)[0]).toBe(1001);
    await publish("two");
    await server.start();
    const again = await listen(server, tab.events()[0]?.cursor);
    await publish("three");
    await expect.poll(again.types, soon).toEqual(["two", "three"]);
  });
});

describe.runIf(engine === "postgres")("two processes on one PostgreSQL", () => {
  test("each hear what the other publishes, in the same order, also after one was cut off", async () => {
    const first = await start();
    const second = await start({ DATABASE_URL: first.environment.DATABASE_URL ?? "", SECRET: first.environment.SECRET ?? "" });
    const site = await siteOf(first);
    const tabs = [await listen(first), await listen(second)];
    const written: string[] = [];
    const publish = async (type: string) => {
      written.push(type);
      await transaction(site, async (tx) => tx.publish({ topic: "posts", type }));
    };
    await publish("before");
    for (const tab of tabs) await expect.poll(tab.types).toEqual(["before"]);
    for (let round = 0; round < 3; round++) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = ${listenerName} and datname = current_database()`.execute(site.db);
      for (let i = 0; i < 20; i++) await publish(`${round}.${i}`);
    }
    for (const tab of tabs) await expect.poll(tab.types, soon).toEqual(written);
    expect(tabs[0]?.events()).toEqual(tabs[1]?.events());
  });
});
