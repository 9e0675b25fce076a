import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import type { Attempt, Outcome } from "./attempt.ts";
import { listEndpoints } from "./endpoints.ts";
import { attempts } from "./generate.ts";
import { knownAttacks } from "./known.ts";
import type { Reading } from "./meter.ts";
import type { Probe } from "./prober.ts";
import { type Cookies, send } from "./send.ts";
import type { Target } from "./target.ts";

export type Plan = {
  /** Generated requests, besides the known ones. */
  requests: number;
  seed: number;
  /** Stops sending after this time. */
  maxMinutes: number;
  /** Whether to send the known requests. */
  known: boolean;
  /** Whether to repeat every possibly expensive request alone and measure it. */
  measures: boolean;
  onProgress?: (sent: number, report: Report) => void;
};

/** Processor milliseconds of all threads and of the main thread, and its longest stall. */
export type Cost = { all: number; main: number; stall: number };
/** `again` is the command that repeats it. */
export type CostlyRequest = Cost & { again: string };

export type Report = {
  sent: number;
  frames: number;
  statuses: Record<string, number>;
  endpoints: number;
  /** Responses of 500, with the log. */
  failures: string[];
  crashes: string[];
  /** Requests above a tenth of a second, most expensive first. */
  costly: CostlyRequest[];
  largestAnswer: { bytes: number; again: string };
  memory: { before: number; peak: number; after: number; heapBefore: number; heapAfter: number };
  health: Probe;
  /** The main thread's longest stall during the run. */
  longestStall: { milliseconds: number; during: string };
  seconds: number;
};

const batchSize = 128;
/** Requests sent before measuring, so that caches are full. */
const warming = { share: 0.2, max: 10_000 };
const maxConcurrentRequests = 12;
/** Batches between checks of the sessions. */
const sessionCheckEvery = 5;
/** For a batch: below all three, none of its requests can have cost a second. */
const suspicious = { mainMs: 1_000, otherThreadsMs: 1_000, stallMs: 200 };
/** A request with a second of processor time takes at least this long, on any number of threads. */
const suspiciousAnswerMs = Math.max(250, 1_000 / availableParallelism());
const reportedCostMs = 100;
const maxCostlyRequests = 12;
const maxCrashes = 5;

/** Sends the known and generated requests and reports the site's behavior. */
export async function fuzz(target: Target, { requests, seed, maxMinutes, known: sendsKnown, measures, onProgress }: Plan): Promise<Report> {
  const begin = performance.now();
  const endpoints = await listEndpoints(target.origin);
  const arbitrary = attempts(endpoints, target.ids);
  const report = emptyReport(endpoints.length);
  const run = new Run(target, report, measures);
  const mayContinue = () => report.crashes.length < maxCrashes && performance.now() - begin < maxMinutes * 60_000;
  await run.renewCookies();
  // Fills caches before the first reading.
  if (measures)
    await run.warm(fc.sample(arbitrary, { numRuns: Math.min(warming.max, Math.ceil(requests * warming.share)), seed: seed - 1 }));
  const before = await target.read(true);
  Object.assign(report.memory, { before: before.rss, peak: before.rss, heapBefore: before.heap });
  await target.probe();

  const known = sendsKnown ? knownAttacks(target.ids, measures) : [];
  for (let at = 0; at < known.length && mayContinue(); at += batchSize) {
    await run.send(`known ${at}`, known.slice(at, at + batchSize));
    onProgress?.(report.sent, report);
  }
  for (let batch = 0; batch * batchSize < requests && mayContinue(); batch++) {
    if (batch % sessionCheckEvery === 0) await run.renewCookies();
    await run.send(`--seed ${seed} --batch ${batch}`, batchOf(arbitrary, seed, batch, requests));
    onProgress?.(report.sent, report);
  }
  // Read before the memory readings force collections, which stall the thread without any request.
  report.health = await target.probe();
  await run.settle();
  report.seconds = Math.round((performance.now() - begin) / 1000);
  return report;
}

/** Repeats one batch one request at a time, and reports each request's cost. */
export async function repeatBatch(
  target: Target,
  { seed, batch, report }: { seed: number; batch: number; report: (attempt: Attempt, outcome: Outcome, cost: Cost) => void },
): Promise<void> {
  const arbitrary = attempts(await listEndpoints(target.origin), target.ids);
  const cookies = await target.cookies();
  for (const attempt of batchOf(arbitrary, seed, batch, Number.POSITIVE_INFINITY)) {
    const { outcome, cost } = await alone(target, attempt, cookies);
    report(attempt, outcome, cost);
  }
}

function batchOf(arbitrary: fc.Arbitrary<Attempt>, seed: number, batch: number, requests: number): Attempt[] {
  return fc.sample(arbitrary, { numRuns: Math.min(batchSize, requests - batch * batchSize), seed: seed + batch });
}

class Run {
  readonly #target: Target;
  readonly #report: Report;
  readonly #measures: boolean;
  #cookies: Cookies = { visitor: [""], member: [""], unconfirmed: [""], moderator: [""], administrator: [""] };

  constructor(target: Target, report: Report, measures: boolean) {
    this.#target = target;
    this.#report = report;
    this.#measures = measures;
  }

  async renewCookies(): Promise<void> {
    this.#cookies = await this.#target.cookies();
  }

  /** Warm-up, not counted. */
  async warm(batch: Attempt[]): Promise<void> {
    await inTurns(batch, maxConcurrentRequests, (attempt) => send(attempt, this.#target, this.#cookies));
    this.#target.errors().length = 0;
  }

  /** Sends some at a time, then repeats possibly expensive ones alone. */
  async send(name: string, batch: Attempt[]): Promise<void> {
    const report = this.#report;
    const crashesBefore = this.#target.crashes().length;
    const before = await this.#target.read();
    const outcomes = await inTurns(batch, maxConcurrentRequests, (attempt) => send(attempt, this.#target, this.#cookies));
    for (const [index, outcome] of outcomes.entries()) this.#note(batch[index] as Attempt, outcome, `${name} #${index}`);
    report.failures.push(...this.#target.errors().splice(0));
    // A crashing process doesn't respond.
    await this.#measure(name, batch, outcomes, before).catch(() => {});
    if (this.#target.crashes().length === crashesBefore) return;
    report.crashes.push(`${name}: ${this.#target.crashes().at(-1)}`);
    await this.#target.restart();
    await this.renewCookies();
  }

  async #measure(name: string, batch: Attempt[], outcomes: Outcome[], before: Reading): Promise<void> {
    const { cpuMs, mainMs, stallMs, rss } = await this.#target.read();
    const { memory } = this.#report;
    memory.peak = Math.max(memory.peak, rss);
    if (stallMs > this.#report.longestStall.milliseconds) this.#report.longestStall = { milliseconds: stallMs, during: name };
    if (!this.#measures) return;
    const main = mainMs - before.mainMs;
    const stalled = stallMs > suspicious.stallMs;
    const elsewhere = cpuMs - before.cpuMs - main > suspicious.otherThreadsMs;
    if (!stalled && !elsewhere && main < suspicious.mainMs) return;
    const isSuspect = (attempt: Attempt, outcome: Outcome | undefined) =>
      disconnectsEarly(attempt) ? stalled || elsewhere : (outcome?.milliseconds ?? 0) > (stalled ? suspicious.stallMs : suspiciousAnswerMs);
    for (const [index, attempt] of batch.entries())
      if (isSuspect(attempt, outcomes[index])) await this.#measureAlone(attempt, `${name} #${index}`);
  }

  #note(attempt: Attempt, { status, bytes }: Outcome, again: string): void {
    const report = this.#report;
    report.sent++;
    if (attempt.kind === "socket") report.frames += attempt.frames.length;
    const shown = status === 0 ? "no answer" : String(status);
    report.statuses[shown] = (report.statuses[shown] ?? 0) + 1;
    if (status === 500 || status === 502 || status === 504) report.failures.push(`${status} ${again} ${describe(attempt)}`);
    if (bytes > report.largestAnswer.bytes) report.largestAnswer = { bytes, again: `${again} ${describe(attempt)}` };
  }

  async #measureAlone(attempt: Attempt, again: string): Promise<void> {
    const { cost } = await alone(this.#target, attempt, this.#cookies);
    if (cost.all < reportedCostMs) return;
    const { costly } = this.#report;
    costly.push({ ...cost, again: `${again} ${describe(attempt)}` });
    costly.sort((one, other) => other.all - one.all);
    costly.length = Math.min(costly.length, maxCostlyRequests);
  }

  /** Waits until the site is idle, then reads the memory still in use. */
  async settle(): Promise<void> {
    await untilIdle(this.#target);
    await this.#target.read(true);
    await pause(this.#measures ? settlingMs : 0);
    const { rss, heap } = await this.#target.read(true);
    Object.assign(this.#report.memory, { after: rss, heapAfter: heap });
  }
}

/** Sends a request alone, from idle to idle. */
async function alone(target: Target, attempt: Attempt, cookies: Cookies): Promise<{ outcome: Outcome; cost: Cost }> {
  const before = await untilIdle(target);
  const outcome = await send(attempt, target, cookies);
  const after = await untilIdle(target);
  const cost = { all: after.cpuMs - before.cpuMs, main: after.mainMs - before.mainMs, stall: after.longestMs };
  return { outcome, cost: { all: Math.round(cost.all), main: Math.round(cost.main), stall: Math.round(cost.stall) } };
}

/** Limits per minute reset within this time. */
const settlingMs = 90_000;
const idleShareMs = 15;
const idleCheckMs = 100;
const idleTimeoutMs = 120_000;

/** @returns usage so far, and the longest stall since the last call. */
async function untilIdle(target: Target): Promise<Reading & { longestMs: number }> {
  const end = performance.now() + idleTimeoutMs;
  let last = await target.read();
  let longestMs = last.stallMs;
  while (performance.now() < end) {
    await pause(idleCheckMs);
    const now = await target.read();
    longestMs = Math.max(longestMs, now.stallMs);
    if (now.cpuMs - last.cpuMs < idleShareMs) return { ...now, longestMs };
    last = now;
  }
  return { ...last, longestMs };
}

/** A request may cost time after its sender has disconnected. */
function disconnectsEarly(attempt: Attempt): boolean {
  return attempt.kind === "http" && (attempt.delivery === "abandoned" || attempt.delivery === "half-closed");
}

async function inTurns<Item, Result>(items: Item[], width: number, work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

/** A short description. */
export function describe(attempt: Attempt): string {
  const { sender, target } = attempt;
  const rest =
    attempt.kind === "http" ? `${attempt.method} ${attempt.delivery} ${attempt.body?.length ?? 0} B` : `${attempt.frames.length} frames`;
  return `${sender} ${target.slice(0, 120)} ${rest}`;
}

function emptyReport(endpoints: number): Report {
  return {
    ...{ sent: 0, frames: 0, statuses: {}, endpoints, failures: [], crashes: [], costly: [], seconds: 0 },
    largestAnswer: { bytes: 0, again: "" },
    memory: { before: 0, peak: 0, after: 0, heapBefore: 0, heapAfter: 0 },
    health: { worst: 0, machineWorst: 0, probes: 0, failures: 0 },
    longestStall: { milliseconds: 0, during: "" },
  };
}
