import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { RecentTexts } from "./recent-texts.ts";
import type { Rendered } from "./render.ts";

/** The text takes longer to render than it may: nested or repeated beyond what anybody writes by hand. */
export class TooComplicated extends Error {}

export type Renderer = {
  /** @throws TooComplicated after `limit` milliseconds of the processor, and some more for a long text. */
  render(markdown: string): Promise<Rendered>;
  /** Renders a long text that is likely to be asked for next, while nobody waits. Of several, the newest. */
  prepare(markdown: string): void;
  /** HTML, made safe to show. @throws TooComplicated as well. */
  clean(html: string): Promise<Rendered>;
  /** HTML as Markdown. @throws TooComplicated as well. */
  toMarkdown(html: string): Promise<string>;
  close(): Promise<void>;
};

export type Task = { kind: "render" | "clean" | "to-markdown"; text: string };
type Job = { task: Task; resolve: (done: unknown) => void; reject: (error: Error) => void };
type Answer = { done?: unknown; error?: string };
type Rendering = { thread: Worker; ready: Promise<void> };

/**
 * One worker thread, one text at a time. Some texts take a Markdown parser quadratic time: a worker over its limit is
 * ended and replaced, so that nobody else waits. Its own start does not count. Who asks for a long text that was rendered
 * just now, for a preview or while its writer paused, gets what was made then.
 */
export function createRenderer(limit = 4000): Renderer {
  const queue: Job[] = [];
  const recent = new RecentTexts<Rendered>(recentCharacters);
  let current: Job | undefined;
  let worker: Rendering | undefined;
  let likely: string | undefined;
  let restUntil = 0;
  let resting: NodeJS.Timeout | undefined;

  async function next() {
    const job = queue.shift();
    current = job;
    if (!job) return prepareLikely();
    try {
      worker ??= start();
      await worker.ready;
      job.resolve(await answerWithin(limit + job.task.text.length / charactersPerMillisecond, worker.thread, job.task));
    } catch (error) {
      void worker?.thread.terminate();
      worker = undefined;
      job.reject(error as Error);
    }
    void next();
  }

  const run = (task: Task) =>
    new Promise<unknown>((resolve, reject) => {
      queue.push({ task, resolve, reject });
      if (!current) void next();
    });

  function render(text: string): Promise<Rendered> {
    if (text.length < longText) return run({ kind: "render", text }) as Promise<Rendered>;
    const known = recent.get(text);
    if (known) return known;
    const made = run({ kind: "render", text }) as Promise<Rendered>;
    recent.keep(text, made, (rendered) => rendered.html.length + rendered.text.length);
    return made;
  }

  /** When nobody waits, and for a small part of the thread's time. */
  function prepareLikely() {
    const [text, now] = [likely, performance.now()];
    if (text === undefined || current) return;
    clearTimeout(resting);
    if (now < restUntil) {
      resting = setTimeout(prepareLikely, restUntil - now).unref();
      return;
    }
    likely = undefined;
    if (recent.has(text)) return;
    const rest = () => {
      restUntil = performance.now() + restPerWork * (performance.now() - now);
    };
    render(text).then(rest, rest);
  }

  return {
    render,
    prepare(text) {
      if (text.length < longText || recent.has(text)) return;
      likely = text;
      prepareLikely();
    },
    clean: async (text) => (await run({ kind: "clean", text })) as Rendered,
    toMarkdown: async (text) => (await run({ kind: "to-markdown", text })) as string,
    async close() {
      likely = undefined;
      await worker?.thread.terminate();
    },
  };
}

/** Characters. A shorter text takes some ten milliseconds, and there are many. */
const longText = 20_000;
/** A dozen novels, with what was made of them. */
const recentCharacters = 8_000_000;
const restPerWork = 2;

/** What an ordinary text takes on a busy machine: a novel must not be refused for being one. */
const charactersPerMillisecond = 60;

const tooLong = "it took too long";
/** How many times the limit may pass by the clock. */
const mostPatience = 10;

/** Enough for any text that people write, too little to take the machine down. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** The worker's first message says that it has loaded. */
function start(): Rendering {
  const thread = new Worker(new URL("./worker.ts", import.meta.url), { resourceLimits });
  thread.unref();
  // One that breaks between two texts must not end the process; the next text finds out.
  thread.on("error", () => {});
  return { thread, ready: once(thread, "message").then(() => undefined) };
}

/** `limit`: milliseconds of the processor, so that a text isn't refused because others keep the machine busy. */
function answerWithin(limit: number, thread: Worker, task: Task): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let settled = false;
    const settle = (act: () => void) => {
      settled = true;
      clearTimeout(looking);
      clearTimeout(ending);
      thread.off("message", onAnswer).off("error", onError);
      act();
    };
    const refuse = (reason: unknown) => settle(() => reject(new TooComplicated(String(reason))));
    const onAnswer = ({ done, error }: Answer) => (error === undefined ? settle(() => resolve(done)) : refuse(error));
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
    const ending = setTimeout(refuse, limit * mostPatience, tooLong);
    thread.on("message", onAnswer).on("error", onError);
    thread.postMessage(task);
  });
}
