import { parentPort } from "node:worker_threads";
import { cleanHtml, renderMarkdown } from "./render.ts";
import type { Task } from "./renderer.ts";
import { htmlToMarkdown } from "./to-markdown.ts";

const work = { render: renderMarkdown, clean: cleanHtml, "to-markdown": htmlToMarkdown };

parentPort?.on("message", async ({ kind, text }: Task) => {
  try {
    parentPort?.postMessage({ done: await work[kind](text) });
  } catch (error) {
    parentPort?.postMessage({ error: String(error) });
  }
});

parentPort?.postMessage("ready");
