import { parentPort } from "node:worker_threads";
import { lowerPriority } from "../priority.ts";
import { placePictures } from "./place-pictures.ts";
import { cleanHtml, renderMarkdown } from "./render.ts";
import type { Task, ThreadAnswer } from "./renderer.ts";
import { htmlToMarkdown } from "./to-markdown.ts";

const work = { render: renderMarkdown, clean: cleanHtml, "to-markdown": htmlToMarkdown };

async function answerTo(task: Task): Promise<ThreadAnswer> {
  const begun = process.threadCpuUsage();
  const spentMs = () => {
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  };
  try {
    const done = task.kind === "place-pictures" ? placePictures(task.text, task.placing) : await work[task.kind](task.text);
    return { done, spentMs: spentMs() };
  } catch (error) {
    return { error: String(error), spentMs: spentMs() };
  }
}

// Below the main thread. Only Linux has priorities of threads; elsewhere this would slow the whole process.
if (process.platform === "linux") lowerPriority(5);

parentPort?.on("message", async (task: Task) => parentPort?.postMessage(await answerTo(task)));

parentPort?.postMessage("ready");
