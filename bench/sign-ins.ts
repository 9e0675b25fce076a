import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { hashPassword } from "#domain/accounts/sign-in/password-hashes.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import type { Site } from "#domain/site.ts";
import type { Engine } from "#platform/database/engine.ts";
import { describe, quantile } from "../scripts/percentiles.ts";
import { findEngine } from "../tests/postgres/start.ts";
import { addMember } from "../tests/support/members.ts";
import { picture } from "../tests/support/pictures.ts";
import { type RunningServer, startServer } from "../tests/support/process.ts";
import { median, timeOf } from "./measure.ts";
import type { Crowd } from "./sign-in-crowd.ts";
import { withSite } from "./sites.ts";

/**
 * `npm run bench -- sign-ins [people] [rounds] [sqlite|postgres]`: response times of a story page while the given number of people sign in at once, and
 * before, on one server; on both engines by default. A visitor requests the page at a steady rate, without waiting for responses.
 */
const people = Number(process.argv[2] ?? 200);
const rounds = Number(process.argv[3] ?? 3);
const engines = process.argv[4] ? [process.argv[4]] : ["sqlite", "postgres"];
const requestIntervalMs = 25;
const quietPages = 300;
const maxRatio = 2;
const password = "a lamp in the window";

let server: RunningServer;
const medians: number[] = [];
for (const name of engines) {
  const engine = await findEngine(name);
  // With a site's default limits, also on the rate of sign-ins.
  server = await startServer({ LOG_LEVEL: "warn", REQUEST_LIMIT_FACTOR: "1", PROXY_ADDRESSES: "127.0.0.1,::1" }, engine);
  try {
    medians.push(await compare(engine));
  } finally {
    await server.close();
  }
}
process.exit(medians.every((ratio) => ratio < maxRatio) ? 0 : 1);

/** @returns the median of the rounds' ratios. */
async function compare(engine: Engine): Promise<number> {
  const ratios: number[] = [];
  await withSite(server.environment, fill);
  await read(until(quietPages));
  for (let round = 0; round < rounds; round++) {
    const before = await read(until(quietPages));
    const start = performance.now();
    const signingIn = signInAll(round);
    const during = await read((_, pending) => pending(signingIn));
    const { statuses, endedAt } = await signingIn;
    const ratio = quantile(during, 0.99) / quantile(before, 0.99);
    ratios.push(ratio);
    console.log(`${engine}, before: ${describe(before)}.`);
    console.log(`While ${people} sign in, which takes ${Math.round(endedAt - start)} ms (${statuses}): ${describe(during)}.`);
    console.log(`p99 during / before: ${ratio.toFixed(2)}\n`);
    await wait(1_000);
  }
  console.log(`${engine}, median of ${rounds} rounds: ${median(ratios).toFixed(2)}; goal: less than ${maxRatio}.\n`);
  return median(ratios);
}

type PhaseCondition = (read: number, pending: (work: Promise<unknown>) => boolean) => boolean;

function until(pages: number): PhaseCondition {
  return (read) => read < pages;
}

/** Requests the page at a steady rate while `condition` holds; response times in milliseconds. */
async function read(condition: PhaseCondition): Promise<number[]> {
  const ended = new WeakSet<Promise<unknown>>();
  const tracked = new WeakSet<Promise<unknown>>();
  const pending = (work: Promise<unknown>) => {
    if (!tracked.has(work)) void work.then(() => ended.add(work));
    tracked.add(work);
    return !ended.has(work);
  };
  const times: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let count = 0; condition(count, pending); count++) {
    await wait(Math.max(0, startedAt + count * requestIntervalMs - performance.now()));
    times.push(timeOf(`${server.url}/post/the-tide-table`, { "x-forwarded-for": "198.51.100.1" }));
  }
  return Promise.all(times);
}

/** In a separate thread: its own processor time would delay the measuring one. */
async function signInAll(round: number): Promise<{ statuses: string; endedAt: number }> {
  const crowd: Crowd = { url: server.url, round, people, password };
  const worker = new Worker(new URL("./sign-in-crowd.ts", import.meta.url), { workerData: crowd });
  const [counts] = (await once(worker, "message")) as [Record<number, number>];
  const statuses = Object.entries(counts).map(([status, count]) => `${count} x ${status}`);
  return { statuses: statuses.join(", "), endedAt: performance.now() };
}

async function fill(site: Site): Promise<void> {
  const hash = await hashPassword(password);
  for (let index = 0; index < people; index++) {
    const { id } = await addMember({ site }, `Reader ${index}`);
    const date = new Date(site.now()).toISOString();
    const account = { id: `account-${id}`, userId: id, accountId: id, providerId: "credential", password: hash };
    await site.db
      .withTables<{ accounts: Record<string, unknown> }>()
      .insertInto("accounts")
      .values({ ...account, createdAt: date, updatedAt: date })
      .execute();
  }
  const writer = await addMember({ site }, "Maren Oduya");
  const content = "The tide table is a **small green book** that costs four pounds.\n\n".repeat(40);
  const post = { title: "The tide table", slug: "the-tide-table", content, status: "active" as const };
  await createPost(site, writer, post, await picture());
}
