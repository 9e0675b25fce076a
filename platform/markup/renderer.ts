import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Rendered } from "./render.ts";

/** The text takes longer to render than it may: nested or repeated beyond what anybody writes by hand. */
export class TooComplicated extends Error {}

export type Renderer = {
  /** @throws TooComplicated after `limit` milliseconds. */
  render(markdown: string): Promise<Rendered>;
  close(): Promise<void>;
};

type Job = { markdown: string; resolve: (rendered: Rendered) => void; reject: (error: Error) => void };
type Answer = { rendered?: Rendered; error?: string };
type Rendering = { thread: Worker; ready: Promise<void> };

/**
 * One worker thread, one text at a time. Some texts take a Markdown parser quadratic time: a worker over its limit is
 * ended and replaced, so that nobody else waits. Its own start does not count.
 */
export function createRenderer(limit = 4000): Renderer {
  const queue: Job[] = [];
  let current: Job | undefined;
  let worker: Rendering | undefined;

  async function next() {
    const job = queue.shift();
    current = job;
    if (!job) return;
    try {
      worker ??= start();
      await worker.ready;
      job.resolve(await answerWithin(limit, worker.thread, job.markdown));
    } catch (error) {
      void worker?.thread.terminate();
      worker = undefined;
      job.reject(error as Error);
    }
    void next();
  }

  return {
    render: (markdown) =>
      new Promise((resolve, reject) => {
        queue.push({ markdown, resolve, reject });
        if (!current) void next();
      }),
    async close() {
      await worker?.thread.terminate();
    },
  };
}

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

function answerWithin(limit: number, thread: Worker, markdown: string): Promise<Rendered> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      thread.off("message", onAnswer).off("error", onError);
      act();
    };
    const refuse = (reason: unknown) => settle(() => reject(new TooComplicated(String(reason))));
    const onAnswer = ({ rendered, error }: Answer) => (rendered ? settle(() => resolve(rendered)) : refuse(error));
    const onError = (error: unknown) => refuse(error);
    const timer = setTimeout(refuse, limit, "it took too long");
    thread.on("message", onAnswer).on("error", onError);
    thread.postMessage(markdown);
  });
}
