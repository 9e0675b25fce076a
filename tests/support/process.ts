import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "#platform/database/engine.ts";
import { buildIfNeeded } from "../../scripts/build.ts";
import { createDatabase } from "../postgres/databases.ts";

/** The site in a process with its own port and data folder, as operators run it. */
export type RunningServer = {
  url: string;
  dataDir: string;
  pid(): number;
  /** For a second process of the same site. */
  environment: Record<string, string>;
  output(): string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** @returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** After `kill` or `stop`, on the same port and data folder. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  close(): Promise<void>;
};

const root = join(import.meta.dirname, "..", "..");
let building: Promise<boolean> | undefined;

/** The folder of the built site, built again after a change. @throws Error when the build fails. */
export async function builtSite(): Promise<string> {
  building ??= buildIfNeeded();
  if (!(await building)) throw new Error("The site can't be built.");
  return join(root, "build", "site");
}

/** Overrides the environment of the test run; empty counts as absent. A test's people share one network address. */
const defaultEnvironment = {
  SMTP_URL: "",
  ADMIN_EMAILS: "",
  SECRET: "",
  DATABASE_URL: "",
  FILES_URL: "",
  HOST: "",
  REQUEST_LIMIT_FACTOR: "1000",
  LOOP_LAG_LIMIT: "60000",
};

/**
 * Starts the built site, or another `folder` like it, and waits until it is ready. On PostgreSQL it gets a new database unless `chosen`
 * names one. @throws Error with its output when it ends.
 */
export async function startServer(chosen: Record<string, string> = {}, engine: Engine = "sqlite", folder?: string): Promise<RunningServer> {
  const program = join(folder ?? (await builtSite()), "serve.js");
  const dataDir = mkdtempSync(join(tmpdir(), "inkstead-server-"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const database = engine === "postgres" && !chosen.DATABASE_URL ? await createDatabase() : undefined;
  const onPostgres = database && { DATABASE_URL: database.url, SECRET: "a secret that only the tests know" };
  const environment = { ...defaultEnvironment, SITE_URL: url, DATA_DIR: dataDir, ...onPostgres, ...chosen };
  const env = { ...process.env, NODE_ENV: "production", PORT: String(port), ...environment };
  let output = "";
  let child: ChildProcess;
  let outputEnd: Promise<unknown>;

  // The channel ends the server with the tests, even when they are killed.
  async function start() {
    child = spawn(process.execPath, [program], { cwd: root, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    outputEnd = once(child, "close");
    while (!(await isReady(url))) {
      if (hasEnded(child)) await throwOutput();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The last output may arrive after the exit. */
  async function throwOutput(): Promise<never> {
    await outputEnd;
    throw new Error(`The server ended with code ${child.exitCode}:\n${output}`);
  }

  async function stop(signal: NodeJS.Signals = "SIGTERM") {
    if (hasEnded(child)) return child.exitCode;
    child.kill(signal);
    await once(child, "exit");
    return child.exitCode;
  }

  async function close() {
    await stop("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
    await database?.drop();
  }

  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    dataDir,
    pid: () => child.pid ?? 0,
    environment,
    output: () => output,
    kill: async () => void (await stop("SIGKILL")),
    stop,
    start,
    close,
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

export async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

const ranges = 100;
const handedOut = new Set<number>();

/** A free port; test processes choose from separate ranges. */
export async function freePort(): Promise<number> {
  // Above 10080, which browsers and fetch refuse; below the ephemeral ports, which outgoing connections could take first.
  for (;;) {
    const port = 10_100 + ranges * randomInt(200) + (process.pid % ranges);
    if (handedOut.size === 100) handedOut.clear();
    if (handedOut.has(port)) continue;
    const probe = createServer().listen(port, "127.0.0.1");
    const free = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!free) continue;
    probe.close();
    await once(probe, "close");
    handedOut.add(port);
    return port;
  }
}
