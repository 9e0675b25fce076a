import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";
import type { Web } from "../http.ts";
import { Buckets } from "./buckets.ts";
import { ConcurrencyCounter } from "./concurrent.ts";
import { accountRate, networkRate, routeClasses } from "./table.ts";

describe("a bucket", () => {
  let now = 0;
  const buckets = () => new Buckets({ burst: 10, perSecond: 2 }, () => now);
  beforeEach(() => {
    now = 0;
  });

  test("holds a number of points, and returns the seconds until there are enough", () => {
    const bucket = buckets();
    for (let i = 0; i < 10; i++) expect(bucket.take("a", 1)).toBe(0);
    expect([bucket.take("a", 1), bucket.take("a", 5), bucket.take("b", 5)]).toEqual([1, 3, 0]);
  });

  test("refills up to its limit", () => {
    const bucket = buckets();
    expect(bucket.take("a", 10)).toBe(0);
    now += 2_000;
    expect([bucket.take("a", 4), bucket.take("a", 1)]).toEqual([0, 1]);
    now += 3_600_000;
    expect([bucket.take("a", 10), bucket.take("a", 1)]).toEqual([0, 1]);
  });

  test("a refused request costs nothing", () => {
    const bucket = buckets();
    bucket.take("a", 10);
    now += 1_000;
    for (let i = 0; i < 100; i++) bucket.take("a", 5);
    expect(bucket.take("a", 2)).toBe(0);
  });

  test("memory is bounded: the oldest networks are evicted", () => {
    const bucket = buckets();
    bucket.take("first", 10);
    for (let i = 0; i < 120_000; i++) bucket.take(`n${i}`, 10);
    expect([bucket.take("n119999", 1), bucket.take("first", 1)]).toEqual([1, 0]);
  });
});

test("leaving twice counts once", () => {
  const counter = new ConcurrencyCounter();
  const leave = counter.enter("a", 2);
  counter.enter("a", 2);
  expect(counter.enter("a", 2)).toBeUndefined();
  leave?.();
  leave?.();
  expect(counter.enter("a", 2)).toBeDefined();
  expect(counter.enter("a", 2)).toBeUndefined();
});

describe("requests", () => {
  let world: World;
  let web: Hono<Web>;
  beforeEach(async () => {
    world = await openWorld();
    // A tenth of all limits, for a quick test; nothing is refilled during it.
    web = openWeb(world, { limitFactor: 0.1 });
  });
  afterEach(() => world.close());

  /** A request from this address, without a proxy. */
  const from = (address: string, path: string, init: RequestInit = {}) =>
    web.request(path, init, {
      incoming: { socket: { remoteAddress: address }, headers: {}, rawHeaders: [] },
    } as unknown as Web["Bindings"]);
  const statusesOf = async (count: number, ask: () => Response | Promise<Response>) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push((await ask()).status);
    return statuses;
  };
  const signInForm: RequestInit = {
    method: "POST",
    body: new URLSearchParams({ email: "nobody", password: "" }),
    headers: { origin: "http://inkstead.test" },
  };

  test("of one network are refused beyond the limit, those of others are not", async () => {
    const burst = (routeClasses.signIn.ownRate?.burst ?? 0) * 0.1;
    const statuses = await statusesOf(burst + 5, () => from("203.0.113.5", "/login", signInForm));
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(422));
    expect(statuses.at(-1)).toBe(429);
    const refused = await from("203.0.113.5", "/login", signInForm);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await from("203.0.113.6", "/login", signInForm)).status).toBe(422);
    // The page still exists.
    expect((await from("203.0.113.5", "/login")).status).toBe(200);
  });

  test("of one IPv6 customer are counted together, from any address", async () => {
    let n = 0;
    const statuses = await statusesOf(60, () => from(`2001:db8:1:2::${(++n).toString(16)}`, "/login", signInForm));
    expect(statuses.at(-1)).toBe(429);
    expect((await from("2001:db8:1:3::1", "/login", signInForm)).status).toBe(422);
  });

  test("of one account are counted together, from any network", async () => {
    const { cookie } = await signIn(world, world.maren);
    let n = 0;
    const ask = () => from(`198.51.100.${++n}`, "/messages/unread", { headers: { cookie } });
    const statuses = await statusesOf(accountRate.burst * 0.1 + 20, ask);
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
    const { cookie: other } = await signIn(world, world.tobias);
    expect((await from("198.51.100.1", "/messages/unread", { headers: { cookie: other } })).status).toBe(200);
  });

  test("of the API are refused in its format, readable by pages of clients", async () => {
    const ask = () => from("203.0.113.9", "/v1/databases/main/collections/profiles/documents?project=inkstead");
    const statuses = await statusesOf(60, ask);
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
    const refused = await ask();
    expect(await refused.json()).toMatchObject({ code: 429, type: "general_rate_limit_exceeded" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("for permission to use the API from another site are counted too", async () => {
    const preflight = (address: string, query = "") => from(address, `/v1/ping${query}`, { method: "OPTIONS" });
    expect((await preflight("203.0.113.9", `?${"a=1&".repeat(300)}`)).status).toBe(414);
    const statuses = await statusesOf(networkRate.burst * 0.1 + 5, () => from("203.0.113.9", "/v1/ping?project=inkstead"));
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
    expect([(await preflight("203.0.113.9")).status, (await preflight("203.0.113.10")).status]).toEqual([429, 204]);
  });

  test("for the history of a text have a limit of their own", async () => {
    const ask = (address: string) => from(address, "/drafts/any/history?show=since");
    const statuses = await statusesOf(4, () => ask("203.0.113.9"));
    expect([statuses[0], statuses.at(-1)]).toEqual([302, 429]);
    expect((await ask("203.0.113.10")).status).toBe(302);
    expect((await from("203.0.113.9", "/login")).status).toBe(200);
  });

  test("health checks have no limit", async () => {
    const statuses = await statusesOf(500, () => from("203.0.113.7", "/healthz"));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test("with a long address or many parameters are refused", async () => {
    expect((await from("203.0.113.8", `/all-posts?q=${"a".repeat(5_000)}`)).status).toBe(414);
    expect((await from("203.0.113.8", `/?${"a=1&".repeat(100)}`)).status).toBe(414);
    expect((await from("203.0.113.8", `/v1/ping?${"a=1&".repeat(300)}`)).status).toBe(414);
  });

  test("with a long address are counted too", async () => {
    const statuses = await statusesOf(networkRate.burst * 0.1 + 1, () => from("203.0.113.9", `/${"a".repeat(15_000)}`));
    expect([statuses[0], statuses.at(-1)]).toEqual([414, 429]);
    expect((await from("203.0.113.9", "/login")).status).toBe(429);
  });

  test("a refusal has a message for the pages' scripts, and the security headers", async () => {
    await statusesOf(60, () => from("203.0.113.5", "/login.data", signInForm));
    const refused = await from("203.0.113.5", "/login.data", signInForm);
    expect([refused.status, refused.headers.get("x-remix-response")]).toEqual([429, null]);
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining("wait a moment") });
    expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("a limit of the domain sends Retry-After too", async () => {
    const wrong = { ...signInForm, body: new URLSearchParams({ email: world.maren.email, password: "not her password" }) };
    const generous = openWeb(world);
    let answer = await generous.request("/login", wrong);
    for (let i = 0; i < 12; i++) answer = await generous.request("/login", wrong);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
