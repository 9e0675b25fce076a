import { type StdioOptions, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forwardSignals } from "./bootstrap/signals.mjs";

export type Options = {
  env?: Record<string, string>;
  timeout?: number;
  /** Sent to the program instead of the received signal. */
  stopSignal?: NodeJS.Signals;
  /** Buffers the output and prints it at the end, for programs that run in parallel. */
  bufferOutput?: boolean;
};

let interrupted = false;

/** Runs a program with our output and returns its exit code. After Ctrl-C nothing more is started. */
export function runProgram(file: string, args: string[], { env, timeout, stopSignal, bufferOutput }: Options = {}): Promise<number> {
  if (interrupted) return Promise.resolve(1);
  return new Promise((resolve) => {
    const stdio = bufferOutput ? (["ignore", "pipe", "pipe"] as const) : "inherit";
    const child = spawn(file, args, { stdio: stdio as StdioOptions, env: { ...process.env, ...env }, ...(timeout ? { timeout } : {}) });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => output.push(chunk));
    const stopForwarding = forwardSignals(child, {
      override: stopSignal,
      onSignal: () => {
        interrupted = true;
      },
    });
    const end = (code: number) => {
      stopForwarding();
      process.stdout.write(Buffer.concat(output));
      resolve(code);
    };
    child.on("error", (error) => {
      console.error(`${file} can't be run: ${error.message}`);
      end(1);
    });
    child.on(bufferOutput ? "close" : "exit", (code: number | null) => end(code ?? 1));
  });
}

export function runNode(args: string[], options: Options = {}): Promise<number> {
  return runProgram(process.execPath, args, options);
}

/** Runs a program of a package without `node_modules/.bin`, whose scripts some platforms can't run. */
export function runTool(packageName: string, program: string, args: string[], options: Options = {}): Promise<number> {
  const folder = join("node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { bin: Record<string, string> };
  return runNode([join(folder, bin[program] ?? ""), ...args], options);
}
