import { Budget } from "../queues/budget.ts";
import { FairQueue } from "../queues/fair-queue.ts";
import type { Placed, Placing } from "./place-pictures.ts";
import { RecentTexts } from "./recent-texts.ts";
import type { Rendered } from "./render.ts";
import { answerWithin, type RenderingThread, startThread, type Task } from "./rendering-thread.ts";

/**
 * `key` says for whom: a member's id. Texts of one key are rendered one after another, those of several in turn.
 * All throw TooComplicated when a text takes longer than it may, QueueFull, and BudgetSpent when the key has had its hour's share.
 */
export type Renderer = {
  render(markdown: string, key: string): Promise<Rendered>;
  /** Renders a long text that is likely to be asked for next, while nobody waits. Of several, the newest. */
  prepare(markdown: string, key: string): void;
  /** HTML, made safe to show. */
  clean(html: string, key: string): Promise<Rendered>;
  /** HTML as Markdown. */
  toMarkdown(html: string, key: string): Promise<string>;
  /** HTML that is safe already, without pictures of other sites (`placePictures`). */
  placePictures(html: string, placing: Placing, key: string): Promise<Placed>;
  close(): Promise<void>;
};

/** Characters. A shorter text takes some ten milliseconds, and there are many. */
const longText = 20_000;
/** A dozen novels, with what was made of them. */
const recentCharacters = 8_000_000;
const restPerWork = 2;

/** From here on a text may take longer: a novel must not be refused for being one, also on a slow machine. */
const novel = 100_000;
const charactersPerMillisecond = 100;

const threadCount = 2;
const queueLimits = { slots: threadCount, waitingAtMost: 100, waitingPerKey: 20 };
const hourMs = 60 * 60 * 1000;
/** Of the processor, for each key. */
const budgetMs = 5 * 60 * 1000;

export type RendererLimits = {
  /** Milliseconds of the processor that a text of up to 100,000 characters may take; a longer one has some more. */
  limitMs?: number;
  /** Milliseconds of the processor that each key may take in an hour. */
  hourlyMs?: number;
};

/**
 * Two worker threads, a text each. Some texts take a Markdown parser quadratic time: a thread over its limit is ended and
 * replaced; its own start does not count. Of long texts one is rendered at a time, and one of each key, so that nobody waits
 * for more than the text before theirs, however many somebody else sends. Who asks for a long text that was rendered just
 * now, for a preview or while its writer paused, gets what was made then.
 */
export function createRenderer({ limitMs = 900, hourlyMs = budgetMs }: RendererLimits = {}): Renderer {
  const queue = new FairQueue(queueLimits);
  const longQueue = new FairQueue({ ...queueLimits, slots: 1 });
  const budget = new Budget(hourMs);
  const threads = new RenderingThreads();
  const recent = new RecentTexts<Rendered>(recentCharacters);
  let running = 0;
  let likely: { text: string; key: string } | undefined;
  let restUntil = 0;
  let resting: NodeJS.Timeout | undefined;

  async function run(task: Task, key: string): Promise<unknown> {
    const { length } = task.text;
    const isLong = length >= longText;
    const limit = limitMs + Math.max(0, length - novel) / charactersPerMillisecond;
    const work = () =>
      queue.run(key, () => {
        // Whoever sent many at once may have spent what was left meanwhile.
        budget.mustBeBelow(key, hourlyMs);
        return threads.answer(task, key, limit, (spentMs) => budget.spend(key, spentMs));
      });
    running++;
    try {
      return await (isLong ? longQueue.run(key, work) : work());
    } finally {
      if (--running === 0) prepareLikely();
    }
  }

  async function render(text: string, key: string): Promise<Rendered> {
    if (text.length < longText) return run({ kind: "render", text }, key) as Promise<Rendered>;
    const known = recent.get(text);
    if (known) return known;
    budget.mustBeBelow(key, hourlyMs);
    const made = run({ kind: "render", text }, key) as Promise<Rendered>;
    recent.keep(text, made, (rendered) => rendered.html.length + rendered.text.length);
    return made;
  }

  /** When nobody waits, for a small part of the threads' time, and for half of what a key may take: the rest is for publishing. */
  function prepareLikely() {
    const [next, now] = [likely, performance.now()];
    if (next === undefined || running > 0) return;
    clearTimeout(resting);
    if (now < restUntil) {
      resting = setTimeout(prepareLikely, restUntil - now).unref();
      return;
    }
    likely = undefined;
    if (recent.has(next.text) || !budget.isBelow(next.key, hourlyMs / 2)) return;
    const rest = () => {
      restUntil = performance.now() + restPerWork * (performance.now() - now);
    };
    render(next.text, next.key).then(rest, rest);
  }

  return {
    render,
    prepare(text, key) {
      if (text.length < longText || recent.has(text)) return;
      likely = { text, key };
      prepareLikely();
    },
    clean: async (text, key) => (await run({ kind: "clean", text }, key)) as Rendered,
    toMarkdown: async (text, key) => (await run({ kind: "to-markdown", text }, key)) as string,
    placePictures: async (text, placing, key) => (await run({ kind: "place-pictures", text, placing }, key)) as Placed,
    async close() {
      likely = undefined;
      await threads.end();
    },
  };
}

type Place = { started: RenderingThread | undefined; lastKey: string; isFree: boolean };

/** No more than the queue has slots are asked for at a time. A key has the same thread again, if it is free: that one knows the text's pieces. */
class RenderingThreads {
  readonly #places: Place[] = Array.from({ length: threadCount }, () => ({ started: undefined, lastKey: "", isFree: true }));

  /** @throws TooComplicated, and as `answerWithin`. */
  async answer(task: Task, key: string, limitMs: number, spent: (milliseconds: number) => void): Promise<unknown> {
    const free = this.#places.filter(({ isFree }) => isFree);
    const place = free.find(({ lastKey }) => lastKey === key) ?? (free[0] as Place);
    Object.assign(place, { isFree: false, lastKey: key });
    try {
      place.started ??= startThread();
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
