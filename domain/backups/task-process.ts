import "#platform/private-files.ts";
import { lowerPriority } from "#platform/priority.ts";
import { checkDatabase } from "./check-database.server.ts";
import { makeArchive } from "./make-archive.server.ts";
import { testRestore } from "./restore-test.server.ts";
import type { Task, TaskMessage, TaskResult } from "./run-task.server.ts";

const send = (result: TaskMessage) => void process.send?.(result);
const progressIntervalMs = 500;
let lastProgressAt = 0;

function progress(phase: string, done: number, total: number): void {
  if (Date.now() - lastProgressAt < progressIntervalMs) return;
  lastProgressAt = Date.now();
  send({ kind: "progress", phase, done, total });
}

async function run(task: Task): Promise<TaskResult> {
  if (task.kind === "check") return { kind: "check", report: await checkDatabase(task.storageConfig, progress) };
  if (task.kind === "send") {
    // Loaded on demand: its libraries are slow to load.
    await (await import("./send-archive.server.ts")).sendArchive(task, progress);
    return { kind: "send" };
  }
  const { size, missing } = await makeArchive(task, progress);
  const { tables, files, on } = await testRestore(task.path, task.storageConfig, task.scratch, progress);
  return { kind: "backup", size, report: { tables, files, missing, testedOn: on, testedAt: Date.now() } };
}

lowerPriority(10);
process.on("disconnect", () => process.exit(1));
process.once("message", async (task: Task) => {
  try {
    send({ kind: "done", done: await run(task) });
  } catch (error) {
    send({ kind: "failed", error: error instanceof Error ? error.message : String(error) });
  }
  process.disconnect?.();
});
