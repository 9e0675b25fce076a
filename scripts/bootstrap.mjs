// The first thing every npm script runs, under whatever Node npm was started with: it makes sure that the packages are
// there and hands over to the pinned Node. Nothing outside node: may be imported here.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled, installedNode, linkNode } from "./bootstrap/install.mjs";
import { passSignalsTo } from "./bootstrap/signals.mjs";

const oldest = 20;
/** Commands of somebody who runs a site; all others are for those who work on it, and need what tests and checks need. */
const productive = ["start", "build", "demo", "admin", "backup", "restore", "move-to-postgres", "update"];
/** What a site runs with, as deploy/ and the Dockerfile have it too: V8 gives what loading took back, a sixth of an idle site's memory. */
const siteFlags = ["--max-semi-space-size=8"];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command = "start", ...rest] = process.argv.slice(2);

if (Number(process.versions.node.split(".")[0]) < oldest)
  fail(`Inkstead needs Node ${oldest} or newer to start; this is ${process.version}.`);
try {
  await ensureInstalled(root, !productive.includes(command));
  const node = installedNode(root);
  linkNode(root, node);
  handOver(node);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

function handOver(node) {
  const path = [dirname(node), join(root, "node_modules", ".bin"), process.env.PATH ?? ""].join(process.platform === "win32" ? ";" : ":");
  const flags = command === "start" ? siteFlags : [];
  const child = spawn(node, [...flags, join(root, "scripts", "run.ts"), command, ...rest], {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    // Out of the terminal's reach: Ctrl-C would otherwise arrive twice, and the second means "at once".
    detached: process.platform !== "win32",
  });
  const stopPassing = passSignalsTo(child);
  child.on("error", (error) => fail(`${node} can't be run: ${error.message}`));
  child.on("exit", (code, signal) => {
    stopPassing();
    if (signal) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}

function fail(message) {
  console.error(message);
  // What reads the last line of `npm test` finds one.
  if (command === "test") console.log("0 passed, 1 failed");
  process.exit(1);
}
