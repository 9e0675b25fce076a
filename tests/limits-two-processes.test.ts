import { afterAll, beforeAll, expect, test } from "vitest";
import { networkRate } from "#server/limits/table.ts";
import type { RunningServer } from "./support/process.ts";
import { startTwoServers, type TwoServers } from "./support/two-servers.ts";
import { until } from "./support/until.ts";

const factor = 0.05;
let servers: TwoServers;
beforeAll(async () => {
  servers = await startTwoServers({ REQUEST_LIMIT_FACTOR: String(factor), PROXY_ADDRESSES: "127.0.0.1,::1" });
});
afterAll(() => servers?.close());

const requestFrom = async ({ url }: RunningServer, network: string) =>
  (await fetch(`${url}/login`, { headers: { "x-forwarded-for": network }, redirect: "manual" })).status;

test("a network over its limit at one process is refused by the other within two seconds", async () => {
  const { first, second } = servers;
  let tries = 0;
  // A busy machine may need another try.
  await until(async () => {
    const network = `203.0.113.${++tries}`;
    const statuses = await Promise.all(Array.from({ length: 4 * networkRate.burst * factor }, () => requestFrom(first, network)));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const limitedAt = performance.now();
    await expect.poll(() => requestFrom(second, network), { interval: 100, timeout: 15_000 }).toBe(429);
    const took = performance.now() - limitedAt;
    console.info(`refused at the other process after ${Math.round(took)} ms`);
    expect(took).toBeLessThan(2_000);
  }, 60_000);
  expect([await requestFrom(first, "198.51.100.1"), await requestFrom(second, "198.51.100.1")]).toEqual([200, 200]);
});
