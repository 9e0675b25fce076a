import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { saveSettingsAsOperator } from "#domain/settings/settings.server.ts";
import type { Site } from "#domain/site.ts";
import { describe, quantile } from "../scripts/percentiles.ts";
import { startMailServer } from "../tests/faults/mail-server.ts";
import { findEngine } from "../tests/postgres/start.ts";
import { timeOf } from "./measure.ts";
import { fill, postOf } from "./posts.ts";
import { startNewSite } from "./sites.ts";
import { residentMegabytes } from "./table/rates.ts";

/**
 * `npm run bench -- newsletter [subscribers] [sqlite|postgres]`: time and memory to write a newsletter to the outbox, and response times of
 * a story page meanwhile and before. A mail server receives emails at the default rate.
 */
const subscribers = Number(process.argv[2] ?? 100_000);
const engine = await findEngine(process.argv[3]);
const requestIntervalMs = 25;
const warmUpMs = 10_000;
const idleMs = 15_000;

const mailbox = await startMailServer();
await using opened = await startNewSite(engine, { LOG_LEVEL: "warn", SMTP_URL: mailbox.url, MAIL_FROM: "Inkstead <site@example.com>" });
const { site, server } = opened;
await fill(site);
await addSubscribers(site);
await readUntil(wait(warmUpMs));
const before = await readUntil(wait(idleMs));
const idleMegabytes = residentMegabytes(server.pid());
await saveSettingsAsOperator(site, { newsletterEnabled: true, ...anHourAgo() });
await waitForState("queueing");
const start = performance.now();
const queued = waitForState("queued").then(() => performance.now());
const underLoad = await readUntil(queued);
const seconds = ((await queued) - start) / 1000;
const { count } = await site.db.selectFrom("outbox").select(sql<number>`count(*)`.as("count")).executeTakeFirstOrThrow();
console.log(`${engine}: ${count} newsletters in the outbox within ${seconds.toFixed(1)} s.`);
console.log(`Memory of the server: ${Math.round(idleMegabytes)} MB before, at most ${Math.round(underLoad.megabytes)} MB meanwhile.`);
console.log(`A story, before: ${describe(before.pages)}.\nMeanwhile: ${describe(underLoad.pages)}.`);
console.log(`p99 meanwhile / before: ${(quantile(underLoad.pages, 0.99) / quantile(before.pages, 0.99)).toFixed(2)}`);

async function addSubscribers({ db, now }: Site): Promise<void> {
  await sql`insert into subscribers (email, token, "createdAt", "confirmedAt")
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(subscribers)})
    select 'reader-' || n || '@example.com', 'token-of-the-subscriber-' || n, ${now()}, ${now()} from numbers`.execute(db);
}

function anHourAgo(): { newsletterDay: number; newsletterHour: number } {
  const time = new Date(Date.now() - 60 * 60_000);
  return { newsletterDay: (time.getUTCDay() + 6) % 7, newsletterHour: time.getUTCHours() };
}

/** The server checks for due newsletters every minute. */
async function waitForState(state: "queueing" | "queued"): Promise<void> {
  for (;;) {
    const row = await site.db.selectFrom("newsletters").select("state").executeTakeFirst();
    if (row?.state === state || row?.state === "queued") return;
    await wait(20);
  }
}

/** Requests stories in turn at a steady rate; also the server's peak memory. */
async function readUntil(end: Promise<unknown>): Promise<{ pages: number[]; megabytes: number }> {
  let hasEnded = false;
  void end.then(() => (hasEnded = true));
  const pages: Promise<number>[] = [];
  const startedAt = performance.now();
  let megabytes = 0;
  while (!hasEnded) {
    pages.push(timeOf(`${server.url}/post/${postOf(pages.length % 100)}`));
    megabytes = Math.max(megabytes, residentMegabytes(server.pid()));
    await wait(Math.max(0, startedAt + pages.length * requestIntervalMs - performance.now()));
  }
  return { pages: await Promise.all(pages), megabytes };
}
