// The entry of every npm script, under any Node: installs the packages and runs the command with the pinned Node.
// Import only `node:` modules here.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled, installedNode, linkNode } from "./bootstrap/install.mjs";
import { forwardSignals, runsInOwnSession } from "./bootstrap/signals.mjs";

const minNodeVersion = 20;
/** The other commands need development packages too. */
const operatorCommands = ["start", "build", "demo", "admin", "backup", "restore", "move-to-postgres", "update"];
/**
 * As in deploy/ and the Dockerfile. The first makes V8 return memory after loading, a sixth of an idle site's; the second makes it collect
 * before the heap doubles, which saves a third of a loaded site's.
 */
const siteFlags = ["--max-semi-space-size=8", "--heap-growing-percent=70"];
/** glibc's arenas take a tenth of a busy site's memory. */
const siteEnvironment = { NODE_ENV: "production", MALLOC_ARENA_MAX: "2" };
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command = "start", ...rest] = process.argv.slice(2);

if (Number(process.versions.node.split(".")[0]) < minNodeVersion)
  fail(`Inkstead needs Node ${minNodeVersion} or newer to start; this is ${process.version}.`);
try {
  await ensureInstalled(root, !operatorCommands.includes(command));
  const node = installedNode(root);
  linkNode(root, node);
  const run = join(root, "scripts", "run.ts");
  if (command === "start") {
    // In its own process, or the site would keep the build's memory.
    await runToEnd(node, [run, "build", "--if-needed"]);
    await runToEnd(node, [...siteFlags, join(root, "build", "site", "serve.js"), ...rest]);
  } else await runToEnd(node, [run, command, ...rest]);
  process.exit(0);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

/** Runs until exit code 0; otherwise this process exits the same way. */
async function runToEnd(node, args) {
  const path = [dirname(node), join(root, "node_modules", ".bin"), process.env.PATH ?? ""].join(process.platform === "win32" ? ";" : ":");
  const child = spawn(node, args, {
    cwd: root,
    env: { ...process.env, PATH: path, ...(command === "start" && siteEnvironment) },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    detached: runsInOwnSession(command),
  });
  const stopForwarding = forwardSignals(child);
  child.on("error", (error) => fail(`${node} can't be run: ${error.message}`));
  const [code, signal] = await once(child, "exit");
  stopForwarding();
  if (signal) process.kill(process.pid, signal);
  else if (code !== 0) process.exit(code);
}

function fail(message) {
  console.error(message);
  // `npm test` always ends with the totals.
  if (command === "test") console.log("0 passed, 1 failed");
  process.exit(1);
}
