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

/**
 * One worker thread, one text at a time. Some texts take a Markdown parser quadratic time: a worker over its limit is
 * ended and replaced, so that nobody else waits.
 */
export function createRenderer(limit = 2000): Renderer {
  const queue: Job[] = [];
  let current: Job | undefined;
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(new URL("./worker.ts", import.meta.url));
    started.unref();
    started.on("message", (answer: Answer) =>
      finish((job) => (answer.rendered ? job.resolve(answer.rendered) : job.reject(new TooComplicated(answer.error)))),
    );
    started.on("error", (error) => {
      if (worker === started) worker = undefined;
      finish((job) => job.reject(new TooComplicated(String(error))));
    });
    return started;
  }

  function next() {
    current = queue.shift();
    if (!current) return;
    worker ??= start();
    worker.postMessage(current.markdown);
    timer = setTimeout(() => {
      void worker?.terminate();
      worker = undefined;
      finish((job) => job.reject(new TooComplicated("took too long")));
    }, limit);
  }

  function finish(settle: (job: Job) => void) {
    const job = current;
    clearTimeout(timer);
    current = undefined;
    if (job) settle(job);
    next();
  }

  return {
    render: (markdown) =>
      new Promise((resolve, reject) => {
        queue.push({ markdown, resolve, reject });
        if (!current) next();
      }),
    async close() {
      await worker?.terminate();
    },
  };
}
