import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import { createWeb } from "#server/web.ts";
import packageJson from "../../package.json" with { type: "json" };
import { addPost } from "../../tests/support/posts.ts";
import { freePort } from "../../tests/support/process.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { listenForMetrics } from "./serve-metrics.ts";

let world: World;
let metrics: Metrics;
beforeEach(async () => {
  world = await openWorld();
  metrics = createMetrics(world.site, () => 3);
});
afterEach(async () => {
  metrics.close();
  await world.close();
});

const token = "a token that only the tests know";
const build = () => import(/* @vite-ignore */ new URL("../../build/server/index.js", import.meta.url).href);
const openWeb = () => createWeb({ site: world.site, build, dev: false, cachePages: true, limitFactor: 1000, metrics, metricsToken: token });
/** The value of the line with this prefix; undefined if there is none. */
const value = async (beginning: string) => {
  const line = (await metrics.text()).split("\n").find((each) => each.startsWith(`inkstead_${beginning}`));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
};

describe("requests", () => {
  const count = (method: string, route: string, status: string) =>
    value(`http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`);

  test("are counted by route and class of status, never by path", async () => {
    const web = openWeb();
    await addPost(world, world.maren, { id: "night-bus" });
    for (const path of ["/post/night-bus", "/post/night-bus.data", "/post/another"]) await web.request(path);
    await web.request("/v1/storage/buckets/files/files/some-file/view");
    await web.request("/files/some-file");
    await web.request("/wp-login.php");
    expect(await count("GET", "/post/:slug", "2xx")).toBe(2);
    expect(await count("GET", "/v1/storage/buckets/files/files/:fileId/view", "4xx")).toBe(1);
    expect(await count("GET", "other", "4xx")).toBe(1);
    for (const given of ["night-bus", "some-file", "wp-login"]) expect(await metrics.text()).not.toContain(given);
  });

  test("of unknown methods share a label", async () => {
    for (const method of ["BREW", "WHEN"]) metrics.observe({ method, route: "other", status: 405, seconds: 0.1 });
    expect(await count("other", "other", "4xx")).toBe(2);
  });

  test("have a histogram of durations", async () => {
    for (const seconds of [0.001, 0.03, 4]) metrics.observe({ method: "GET", route: "/", status: 200, seconds });
    const upTo = (limit: string) => value(`http_request_duration_seconds_bucket{le="${limit}",method="GET",route="/",status="2xx"}`);
    expect([await upTo("0.002"), await upTo("0.05"), await upTo("2.5"), await upTo("+Inf")]).toEqual([1, 2, 2, 3]);
  });
});

test("visitors' pages from the cache, and rendered", async () => {
  const web = openWeb();
  const answers = async () => [
    await value('page_cache_requests_total{result="hit"}'),
    await value('page_cache_requests_total{result="miss"}'),
  ];
  let requests = 0;
  const ask = async () => {
    await web.request("/help");
    requests++;
    return (await answers())[0];
  };
  await expect.poll(ask).toBe(1);
  expect(await answers()).toEqual([1, requests - 1]);
  expect(await value('cache_bytes{kind="pages"}')).toBeGreaterThan(1_000);
});

test("writes to the database", async () => {
  const before = (await value("database_writes_total")) ?? 0;
  await addPost(world, world.maren, { id: "night-bus" });
  expect(await value("database_writes_total")).toBeGreaterThan(before);
  // Work after a commit may still wait for a connection.
  await expect.poll(() => value("database_waiting")).toBe(0);
  expect(await value("database_wait_seconds_total")).toBeGreaterThanOrEqual(0);
});

test("emails by state", async () => {
  const send = (to: string) => sendEmailNow(world.site, { kind: "test", to, subject: "Test", text: "Test" });
  await send("ana@example.com");
  world.site.mail.send = async () => {
    throw Object.assign(new Error("no such user"), { responseCode: 550, command: "RCPT TO" });
  };
  await send("ben@example.com");
  await expect.poll(() => value('outbox_emails{state="failed"}')).toBe(1);
  expect(await value('outbox_emails{state="sent"}')).toBe(1);
});

test("the age of the newest backup, if any", async () => {
  expect(await value("backup_age_seconds")).toBeUndefined();
  const { now, db } = world.site;
  const run = {
    kind: "backup",
    cause: "schedule",
    userId: null,
    phase: "Done",
    done: 1,
    total: 1,
    host: "here",
    finishedAt: null,
  } as const;
  for (const [id, state, ago] of [
    ["a", "good", 7_200],
    ["b", "good", 3_600],
    ["c", "failed", 60],
  ] as const)
    await db
      .insertInto("backup_runs")
      .values({ ...run, id, state, startedAt: now() - ago * 1_000 } as never)
      .execute();
  expect(await value("backup_age_seconds")).toBe(3_600);
});

test("the process, its queues and its sockets", async () => {
  expect(await value("sockets")).toBe(3);
  expect(await value(`info{version="${packageJson.version}"}`)).toBe(1);
  expect(await value('process_memory_bytes{kind="resident"}')).toBeGreaterThan(1e7);
  expect(await value('event_loop_lag_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0);
  for (const queue of ["lists", "passwords", "pictures", "texts"]) expect(await value(`queue_waiting{queue="${queue}"}`)).toBe(0);
});

test("leaves an unreadable value out and returns the others", async () => {
  const fail = () => {
    throw new Error("no database");
  };
  const site = { ...world.site, db: new Proxy(world.site.db, { get: fail }) };
  const alone = createMetrics(site, () => 1);
  const text = await alone.text();
  expect(text).toMatch(/^inkstead_sockets 1$/m);
  expect(text).not.toMatch(/^inkstead_outbox_emails/m);
  alone.close();
});

describe("access", () => {
  const ask = (web: ReturnType<typeof openWeb>, authorization?: string) =>
    web.request("/metrics", { headers: authorization === undefined ? {} : { authorization } });

  test("on the site's own port, with the token", async () => {
    const answer = await ask(openWeb(), `Bearer ${token}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(await answer.text()).toContain("inkstead_sockets 3");
  });

  test.each([[undefined], ["Bearer"], ["Bearer "], [`Bearer ${token}x`], [`Basic ${token}`]])("not with: %s", async (authorization) => {
    const answer = await ask(openWeb(), authorization);
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain("inkstead");
  });

  test("without a configured token there is no such route", async () => {
    const web = createWeb({ site: world.site, build, dev: false, metrics });
    expect((await ask(web)).status).toBe(404);
  });

  test("on a separate port, without a token", async () => {
    const port = await freePort();
    const close = await listenForMetrics(metrics, { host: "127.0.0.1", port });
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain("inkstead_sockets 3");
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    close();
  });

  test("a port that is taken is named by its variable", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(listenForMetrics(metrics, { host: "127.0.0.1", port })).rejects.toThrow("set METRICS_PORT to another number");
    other.close();
  });
});
