// The first thing every npm script runs, under whatever Node npm was started with: it makes sure that the packages are
// there and hands over to the pinned Node. Nothing outside node: may be imported here.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled, installedNode, linkNode } from "./bootstrap/install.mjs";
import { passSignalsTo } from "./bootstrap/signals.mjs";

const oldest = 20;
/** Commands of somebody who runs a site; all others are for those who work on it, and need what tests and checks need. */
const productive = ["start", "build", "demo", "admin", "backup", "restore", "move-to-postgres", "update"];
/** What a site runs with, as deploy/ and the Dockerfile have it too: V8 gives what loading took back, a sixth of an idle site's memory. */
const siteFlags = ["--max-semi-space-size=8"];
/** For glibc: what it sets aside for each thread is a tenth of a busy site's memory. */
const siteEnvironment = { NODE_ENV: "production", MALLOC_ARENA_MAX: "2" };
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command = "start", ...rest] = process.argv.slice(2);

if (Number(process.versions.node.split(".")[0]) < oldest)
  fail(`Inkstead needs Node ${oldest} or newer to start; this is ${process.version}.`);
try {
  await ensureInstalled(root, !productive.includes(command));
  const node = installedNode(root);
  linkNode(root, node);
  const run = join(root, "scripts", "run.ts");
  if (command === "start") {
    // A process of its own, or the site would keep in memory what builds it.
    await handOver(node, [run, "build", "--if-needed"]);
    await handOver(node, [...siteFlags, join(root, "build", "site", "serve.js"), ...rest]);
  } else await handOver(node, [run, command, ...rest]);
  process.exit(0);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

/** Until it ends with 0; with anything else this process ends in the same way. */
async function handOver(node, args) {
  const path = [dirname(node), join(root, "node_modules", ".bin"), process.env.PATH ?? ""].join(process.platform === "win32" ? ";" : ":");
  const child = spawn(node, args, {
    cwd: root,
    env: { ...process.env, PATH: path, ...(command === "start" && siteEnvironment) },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    // Out of the terminal's reach: Ctrl-C would otherwise arrive twice, and the second means "at once".
    detached: process.platform !== "win32",
  });
  const stopPassing = passSignalsTo(child);
  child.on("error", (error) => fail(`${node} can't be run: ${error.message}`));
  const [code, signal] = await once(child, "exit");
  stopPassing();
  if (signal) process.kill(process.pid, signal);
  else if (code !== 0) process.exit(code);
}

function fail(message) {
  console.error(message);
  // What reads the last line of `npm test` finds one.
  if (command === "test") console.log("0 passed, 1 failed");
  process.exit(1);
}
