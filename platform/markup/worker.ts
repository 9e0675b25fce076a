import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./render.ts";

parentPort?.on("message", async (markdown: string) => {
  try {
    parentPort?.postMessage({ rendered: await renderMarkdown(markdown) });
  } catch (error) {
    parentPort?.postMessage({ error: String(error) });
  }
});

parentPort?.postMessage("ready");
