import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { runsInOwnSession } from "./signals.mjs";

let parent: ChildProcess | undefined;
afterEach(() => void parent?.kill("SIGKILL"));

const child = `
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => console.log("received " + signal));
  process.on("disconnect", () => process.exit());
  console.log("ready");
`;
const code = `
  import { spawn } from "node:child_process";
  import { forwardSignals } from ${JSON.stringify(new URL("./signals.mjs", import.meta.url).href)};
  forwardSignals(spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: ["ignore", "inherit", "inherit", "ipc"] }));
`;

/** A process that forwards signals to another, and the output of that one. */
async function startPair(): Promise<{ parent: ChildProcess; lines: () => string[] }> {
  const started = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  parent = started;
  let output = "";
  started.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output).toContain("ready");
  return { parent: started, lines: () => output.trim().split("\n").slice(1) };
}

test("a repeated signal is forwarded once, a later one again", async () => {
  const { parent, lines } = await startPair();
  parent.kill("SIGTERM");
  parent.kill("SIGINT");
  await expect.poll(lines).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 600));
  parent.kill("SIGINT");
  await expect.poll(lines).toHaveLength(2);
  expect(lines()[1]).toBe("received SIGINT");
});

test("the child ends when its parent is killed", async () => {
  const { parent } = await startPair();
  const ended = once(parent.stdout as NodeJS.ReadableStream, "end"); // Both have it open.
  parent.kill("SIGKILL");
  expect(await ended).toEqual([]);
});

test("a site gets a signal of the terminal once; an update can use the terminal", () => {
  expect(runsInOwnSession("start", "linux")).toBe(true);
  expect(runsInOwnSession("start", "win32")).toBe(false);
  expect(runsInOwnSession("update", "linux")).toBe(false);
});
