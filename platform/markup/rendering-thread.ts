import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { PicturePlacement } from "./place-pictures.ts";

export class TooComplicated extends Error {}

export type Task =
  | { kind: "render" | "clean" | "to-markdown"; text: string }
  | { kind: "place-pictures"; text: string; placing: PicturePlacement };
/** `spentMs`: milliseconds of the processor. */
export type ThreadAnswer = { done?: unknown; error?: string; spentMs: number };
export type RenderingThread = { thread: Worker; ready: Promise<void> };

const tooLong = "it took too long";
/** By the clock, on a machine that has other things to do. */
const answerTimeoutMs = 15_000;

const resourceLimits = { maxOldGenerationSizeMb: 256 };

export function startThread(script = new URL("./worker.ts", import.meta.url)): RenderingThread {
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
export function answerWithin(limit: number, thread: Worker, task: Task, spent: (milliseconds: number) => void): Promise<unknown> {
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
