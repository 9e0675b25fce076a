import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readConfig } from "#platform/config.ts";
import { minutes } from "#platform/time.ts";
import { isBuilt } from "../build.ts";
import { runProgram } from "../processes.ts";
import { readOptions, usage } from "./options.ts";
import { type RestartableSite, restoreCommand, update } from "./update.ts";

const root = join(import.meta.dirname, "..", "..");
/** The npm that started this process: our own is among the packages that an update replaces. */
const node = process.env.npm_node_execpath ?? process.execPath;
const { backup, restart, waitMinutes } = readOptions(process.argv.slice(2)) ?? showUsage();

const succeeds = async (program: string, ...args: string[]) => (await runProgram(program, args)) === 0;
const command = (name: string) => succeeds(node, join(root, "scripts", "bootstrap.mjs"), name);

/** `npm run update`: backs up, installs the newest commit, and returns to the old one when that fails. */
const steps = {
  backUp: () => (backup ? succeeds("sh", "-c", backup) : command("backup")),
  isBuilt,
  build: () => command("build"),
  site: restart ? restartableSite(restart) : undefined,
  restoreCommand: restoreCommand(backup),
};
process.exit(await update(root, steps, console.log));

function showUsage(): never {
  console.error(usage);
  process.exit(1);
}

function restartableSite(command: string): RestartableSite {
  // Any secret will do; without one, a start here would create one.
  const { host, port } = readConfig({ HOST: process.env.HOST, PORT: process.env.PORT, SECRET: "-".repeat(32) });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}/readyz`;
  const isReady = async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    return response?.ok ?? false;
  };
  const waitUntilReady = async () => {
    const until = performance.now() + minutes(waitMinutes);
    while (performance.now() < until) {
      if (await isReady()) return true;
      await wait(500);
    }
    return false;
  };
  return { url, waitMinutes, isReady, restart: async () => (await succeeds("sh", "-c", command)) && (await waitUntilReady()) };
}
