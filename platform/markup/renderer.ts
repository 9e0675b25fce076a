import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { BoundedMap, memoizePromise } from "../memory.ts";
import { Budget } from "../queues/budget.ts";
import { FairQueue } from "../queues/fair-queue.ts";
import { hours, minutes } from "../time.ts";
import type { RenderedText, Task, ThreadResponse } from "./render.ts";
import type { ReplacedPictures, ReplacementPictures } from "./replace-external-pictures.ts";

export class TooComplicated extends Error {}

/**
 * `key`: a member's id. Texts of one key are rendered one at a time, and keys take turns.
 * All throw TooComplicated if a text takes too long, QueueFull, and BudgetExceeded beyond the key's hourly share.
 */
export type Renderer = {
  render(markdown: string, key: string): Promise<RenderedText>;
  /** Sanitizes HTML. */
  clean(html: string, key: string): Promise<RenderedText>;
  /** HTML as Markdown. */
  toMarkdown(html: string, key: string): Promise<string>;
  /** `html` must be sanitized. Removes pictures of other sites. */
  replaceExternalPictures(html: string, replacement: ReplacementPictures, key: string): Promise<ReplacedPictures>;
  waiting(): number;
  close(): Promise<void>;
};

/** Characters. Shorter texts take some ten milliseconds. */
const longTextLength = 20_000;
/** About a dozen novels with their HTML. */
const recentTexts = { entries: 1_000, bytes: 16_000_000 };

/**
 * CPU time of the thread, two to three times what dense Markdown takes. The process needs up to twice as much, to compile and collect
 * garbage, and 70 ms to replace a terminated thread: less than a second for 100,000 characters.
 */
const baseLimitMs = 200;
const limitMsPerCharacter = 3 / 1000;

const threadCount = 2;
const queueLimits = { slots: threadCount, maxWaiting: 100, maxWaitingPerKey: 20 };
const budgetMs = minutes(5);

export type RendererOptions = {
  script?: URL;
  /** CPU time of a text besides that for its length. */
  limitMs?: number;
  /** CPU time of a key in an hour. */
  hourlyMs?: number;
};

/**
 * Two worker threads with one text each. Some texts take quadratic time to parse: a thread over its limit is terminated and replaced.
 * Long texts are rendered one at a time, and only one per key waits ahead of others. Recent long texts are cached, for a save after a
 * preview or a retry.
 */
export function createRenderer({ script, limitMs = baseLimitMs, hourlyMs = budgetMs }: RendererOptions = {}): Renderer {
  const queue = new FairQueue(queueLimits);
  const longQueue = new FairQueue({ ...queueLimits, slots: 1 });
  const budget = new Budget(hours(1));
  const threads = new RenderingThreads(script);
  const recent = new BoundedMap<string, Promise<RenderedText>>(recentTexts);

  function run(task: Task, key: string): Promise<unknown> {
    const { length } = task.text;
    const work = () =>
      queue.run(key, () => {
        // Other texts of the key may have spent the budget meanwhile.
        budget.assertBelow(key, hourlyMs);
        return threads.run(task, limitMs + length * limitMsPerCharacter, (cpuMs) => budget.spend(key, cpuMs));
      });
    return length >= longTextLength ? longQueue.run(key, work) : work();
  }

  return {
    async render(text, key) {
      if (text.length < longTextLength) return run({ kind: "render", text }, key) as Promise<RenderedText>;
      const known = recent.get(text);
      if (known) return known;
      budget.assertBelow(key, hourlyMs);
      const rendering = run({ kind: "render", text }, key) as Promise<RenderedText>;
      memoizePromise(recent, text, rendering, (rendered) => 2 * (rendered.html.length + rendered.text.length));
      return rendering;
    },
    clean: async (text, key) => (await run({ kind: "clean", text }, key)) as RenderedText,
    toMarkdown: async (text, key) => (await run({ kind: "to-markdown", text }, key)) as string,
    replaceExternalPictures: async (text, replacement, key) =>
      (await run({ kind: "replace-external-pictures", text, replacement }, key)) as ReplacedPictures,
    waiting: () => queue.waiting + longQueue.waiting,
    close: () => threads.end(),
  };
}

type ThreadSlot = { started: RenderingThread | undefined; isFree: boolean };

/** The queue has as many slots as there are threads. */
class RenderingThreads {
  readonly #script: URL | undefined;
  readonly #slots: ThreadSlot[] = Array.from({ length: threadCount }, () => ({ started: undefined, isFree: true }));

  constructor(script: URL | undefined) {
    this.#script = script;
  }

  /** @throws TooComplicated, and like `runWithin`. */
  async run(task: Task, limitMs: number, onSpent: (cpuMs: number) => void): Promise<unknown> {
    const slot = this.#slots.find(({ isFree }) => isFree) as ThreadSlot;
    slot.isFree = false;
    try {
      slot.started ??= startThread(this.#script);
      await slot.started.ready;
      return await runWithin(limitMs, slot.started.thread, task, onSpent);
    } catch (error) {
      void slot.started?.thread.terminate();
      slot.started = undefined;
      throw error;
    } finally {
      slot.isFree = true;
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#slots.map(({ started }) => started?.thread.terminate()));
  }
}

type RenderingThread = { thread: Worker; ready: Promise<void> };

const tooLong = "it took too long";
/** Wall-clock time, as the machine may be busy. */
const responseTimeoutMs = 15_000;

const resourceLimits = { maxOldGenerationSizeMb: 256 };

function startThread(script = new URL("./render.ts", import.meta.url)): RenderingThread {
  const thread = new Worker(script, { resourceLimits });
  thread.unref();
  // An error between two texts must not end the process; the next text will fail.
  thread.on("error", () => {});
  return { thread, ready: once(thread, "message").then(() => undefined) };
}

/**
 * `limit`: milliseconds of CPU time, so that a busy machine refuses no text. `onSpent` is called with the time used, also on failure.
 * @throws TooComplicated; then the thread must be terminated.
 */
function runWithin(limit: number, thread: Worker, task: Task, onSpent: (cpuMs: number) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let settled = false;
    const settle = (finish: () => void) => {
      settled = true;
      clearTimeout(checkTimer);
      clearTimeout(deadlineTimer);
      thread.off("message", onResponse).off("error", onError);
      finish();
    };
    const refuse = (reason: unknown, cpuMs = Math.max(limit, 0)) =>
      settle(() => {
        onSpent(cpuMs);
        reject(new TooComplicated(String(reason)));
      });
    const onResponse = ({ result, error, cpuMs }: ThreadResponse) => {
      if (error !== undefined) return refuse(error, cpuMs);
      settle(() => {
        onSpent(cpuMs);
        resolve(result);
      });
    };
    const onError = (error: unknown) => refuse(error);
    const usageAtStart = thread.cpuUsage();
    const checkCpuTime = async () => {
      const { user, system } = await thread.cpuUsage(await usageAtStart);
      const left = limit - (user + system) / 1000;
      if (settled) return;
      if (left > 0) checkTimer = checkAfter(left);
      else refuse(tooLong);
    };
    const checkAfter = (after: number) => setTimeout(() => void checkCpuTime().catch(refuse), after);
    let checkTimer = checkAfter(limit);
    // If the thread doesn't even report its CPU time.
    const deadlineTimer = setTimeout(() => refuse(tooLong), limit + responseTimeoutMs);
    thread.on("message", onResponse).on("error", onError);
    thread.postMessage(task);
  });
}
