import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { BoundedMap, memoizePromise } from "../memory.ts";
import { Budget } from "../queues/budget.ts";
import { FairQueue } from "../queues/fair-queue.ts";
import { hours, minutes } from "../time.ts";
import type { PicturePlacement, PlacedPicture } from "./place-pictures.ts";
import type { RenderedText } from "./render.ts";

export class TooComplicated extends Error {}

export type Task =
  | { kind: "render" | "clean" | "to-markdown"; text: string }
  | { kind: "place-pictures"; text: string; placing: PicturePlacement };
/** `spentMs`: milliseconds of the processor. */
export type ThreadAnswer = { done?: unknown; error?: string; spentMs: number };

/**
 * `key` says for whom: a member's id. Texts of one key are rendered one after another, those of several in turn.
 * All throw TooComplicated when a text takes longer than it may, QueueFull, and BudgetExceeded when the key has had its hour's share.
 */
export type Renderer = {
  render(markdown: string, key: string): Promise<RenderedText>;
  /** HTML, made safe to show. */
  clean(html: string, key: string): Promise<RenderedText>;
  /** HTML as Markdown. */
  toMarkdown(html: string, key: string): Promise<string>;
  /** HTML that is safe already, without pictures of other sites (`placePictures`). */
  placePictures(html: string, placing: PicturePlacement, key: string): Promise<PlacedPicture>;
  /** Texts that wait for their turn. */
  waiting(): number;
  close(): Promise<void>;
};

/** Characters. A shorter text takes some ten milliseconds, and there are many. */
const longTextLength = 20_000;
/** A dozen novels, with what was made of them, two bytes for a character. */
const recentTexts = { entries: 1_000, bytes: 16_000_000 };

/**
 * Milliseconds of the thread, two to three times what dense Markdown takes. The process pays up to twice as much, for compiling and
 * collecting garbage beside the thread, and 70 ms to replace a thread that was ended: less than a second for 100,000 characters.
 */
const baseLimitMs = 200;
const limitMsPerCharacter = 3 / 1000;

const threadCount = 2;
const queueLimits = { slots: threadCount, waitingAtMost: 100, waitingPerKey: 20 };
const budgetMs = minutes(5);

export type RendererOptions = {
  script?: URL;
  /** Milliseconds of the processor that a text may take besides what its length adds. */
  limitMs?: number;
  /** Milliseconds of the processor that each key may take in an hour. */
  hourlyMs?: number;
};

/**
 * Two worker threads, a text each. Some texts take a Markdown parser quadratic time: a thread over its limit is ended and
 * replaced; its own start does not count. Of long texts one is rendered at a time, and one of each key, so that nobody waits
 * for more than the text before theirs, however many someone else sends. A long text that was rendered just now, for a preview
 * or a retry, is not rendered again.
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
        // Anyone who sent many at once may have spent what was left meanwhile.
        budget.mustBeBelow(key, hourlyMs);
        return threads.answer(task, limitMs + length * limitMsPerCharacter, (spentMs) => budget.spend(key, spentMs));
      });
    return length >= longTextLength ? longQueue.run(key, work) : work();
  }

  return {
    async render(text, key) {
      if (text.length < longTextLength) return run({ kind: "render", text }, key) as Promise<RenderedText>;
      const known = recent.get(text);
      if (known) return known;
      budget.mustBeBelow(key, hourlyMs);
      const made = run({ kind: "render", text }, key) as Promise<RenderedText>;
      memoizePromise(recent, text, made, (rendered) => 2 * (rendered.html.length + rendered.text.length));
      return made;
    },
    clean: async (text, key) => (await run({ kind: "clean", text }, key)) as RenderedText,
    toMarkdown: async (text, key) => (await run({ kind: "to-markdown", text }, key)) as string,
    placePictures: async (text, placing, key) => (await run({ kind: "place-pictures", text, placing }, key)) as PlacedPicture,
    waiting: () => queue.waiting + longQueue.waiting,
    close: () => threads.end(),
  };
}

type ThreadSlot = { started: RenderingThread | undefined; isFree: boolean };

/** No more than the queue has slots are asked for at a time. */
class RenderingThreads {
  readonly #script: URL | undefined;
  readonly #places: ThreadSlot[] = Array.from({ length: threadCount }, () => ({ started: undefined, isFree: true }));

  constructor(script: URL | undefined) {
    this.#script = script;
  }

  /** @throws TooComplicated, and as `answerWithin`. */
  async answer(task: Task, limitMs: number, spent: (milliseconds: number) => void): Promise<unknown> {
    const place = this.#places.find(({ isFree }) => isFree) as ThreadSlot;
    place.isFree = false;
    try {
      place.started ??= startThread(this.#script);
      await place.started.ready;
      return await answerWithin(limitMs, place.started.thread, task, spent);
    } catch (error) {
      void place.started?.thread.terminate();
      place.started = undefined;
      throw error;
    } finally {
      place.isFree = true;
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#places.map(({ started }) => started?.thread.terminate()));
  }
}

type RenderingThread = { thread: Worker; ready: Promise<void> };

const tooLong = "it took too long";
/** By the clock, on a machine that has other things to do. */
const answerTimeoutMs = 15_000;

const resourceLimits = { maxOldGenerationSizeMb: 256 };

function startThread(script = new URL("./worker.ts", import.meta.url)): RenderingThread {
  const thread = new Worker(script, { resourceLimits });
  thread.unref();
  // One that breaks between two texts must not end the process; the next text finds out.
  thread.on("error", () => {});
  return { thread, ready: once(thread, "message").then(() => undefined) };
}

/**
 * What the thread answers. `limit`: milliseconds of the processor, so that a text isn't refused because others keep the machine busy;
 * `spent` is told how many it took, answered or not. @throws TooComplicated; then the thread has to be ended.
 */
function answerWithin(limit: number, thread: Worker, task: Task, spent: (milliseconds: number) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let settled = false;
    const settle = (act: () => void) => {
      settled = true;
      clearTimeout(looking);
      clearTimeout(ending);
      thread.off("message", onAnswer).off("error", onError);
      act();
    };
    const refuse = (reason: unknown, spentMs = Math.max(limit, 0)) =>
      settle(() => {
        spent(spentMs);
        reject(new TooComplicated(String(reason)));
      });
    const onAnswer = ({ done, error, spentMs }: ThreadAnswer) => {
      if (error !== undefined) return refuse(error, spentMs);
      settle(() => {
        spent(spentMs);
        resolve(done);
      });
    };
    const onError = (error: unknown) => refuse(error);
    const begun = thread.cpuUsage();
    const look = async () => {
      const { user, system } = await thread.cpuUsage(await begun);
      const left = limit - (user + system) / 1000;
      if (settled) return;
      if (left > 0) looking = again(left);
      else refuse(tooLong);
    };
    const again = (after: number) => setTimeout(() => void look().catch(refuse), after);
    let looking = again(limit);
    // Where the thread can't even be asked.
    const ending = setTimeout(() => refuse(tooLong), limit + answerTimeoutMs);
    thread.on("message", onAnswer).on("error", onError);
    thread.postMessage(task);
  });
}
