import { fork } from "node:child_process";
import { join } from "node:path";
import { programFolder } from "#platform/program.ts";
import type { StorageConfig } from "../site.ts";
import type { BackupReport, CheckReport } from "./backup.ts";
import type { NewArchive, ReportProgress } from "./make-archive.server.ts";
import type { ArchiveToSend } from "./send-archive.server.ts";

export type Task =
  | ({ kind: "backup"; scratch: string } & NewArchive)
  | { kind: "check"; storageConfig: StorageConfig }
  | ({ kind: "send" } & ArchiveToSend);
export type TaskResult = { kind: "backup"; size: number; report: BackupReport } | { kind: "check"; report: CheckReport } | { kind: "send" };
export type TaskMessage =
  | { kind: "progress"; phase: string; done: number; total: number }
  | { kind: "done"; done: TaskResult }
  | { kind: "failed"; error: string };

/** Archives are streamed, so a small heap is enough. */
const memoryLimitMb = 256;

/** Runs a task in a child process, which ends with `signal` or with this process. @throws Error with the reason. */
export function runTask(task: Task, reportProgress: ReportProgress, signal: AbortSignal): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    const child = fork(join(programFolder, "domain", "backups", "task-process.ts"), [], {
      execArgv: [`--max-old-space-size=${memoryLimitMb}`],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      signal,
    });
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      stderr = `${stderr}${chunk}`.slice(-2_000);
    });
    child.on("error", reject);
    child.on("message", (result: TaskMessage) => {
      if (result.kind === "progress") reportProgress(result.phase, result.done, result.total);
      else if (result.kind === "done") resolve(result.done);
      else reject(new Error(result.error));
    });
    child.on("exit", (code, endedBy) =>
      reject(new Error(`the process ended with ${endedBy ?? code}${stderr ? `: ${stderr.trim()}` : ""}`)),
    );
    child.send(task);
  });
}
