import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { withLock } from "./lock.mjs";

/** Runs our TypeScript as it is and has node:sqlite. */
const oldestUsable = 24;

/** Installs what package-lock.json names, unless that has been done. @throws Error with a message for the operator. */
export async function ensureInstalled(root) {
  if (isInstalled(root)) return;
  await withLock(join(root, "build", ".lock"), async () => {
    if (isInstalled(root)) return; // Another command was faster.
    if (!matchesLockfile(root)) await install(root);
    writeFileSync(join(root, "node_modules", ".installed"), lockHash(root));
  });
}

function isInstalled(root) {
  const stamp = join(root, "node_modules", ".installed");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === lockHash(root);
}

function lockHash(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** Whether somebody ran `npm ci` by hand. npm writes its own list last of all, so a list means a whole installation. */
function matchesLockfile(root) {
  const list = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(list)) return false;
  const { packages: present } = JSON.parse(readFileSync(list, "utf8"));
  const { packages: wanted } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true;
    return path in present ? present[path].version === version : optional === true;
  });
}

async function install(root) {
  console.log("Installing packages; this happens once and takes about half a minute …");
  // The build needs what is listed for development too, even where NODE_ENV says production.
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath ?? "";
  const runsNpm = basename(npm) === "npm-cli.js";
  const code = runsNpm ? await run(process.execPath, [npm, ...args], root) : await run("npm", args, root, process.platform === "win32");
  if (code !== 0) throw new Error("The packages could not be installed; npm's own message is above.");
}

function run(file, args, cwd, shell = false) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, shell, stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

/** The pinned Node, or the one that runs this where that doesn't work and this is new enough. */
export async function installedNode(root) {
  const folder = join(root, "node_modules", "node");
  const pinned = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (!existsSync(pinned)) await withLock(join(root, "build", ".lock"), () => fetchPinned(folder, pinned));
  if (existsSync(pinned) && runs(root, pinned)) return pinned;
  if (Number(process.versions.node.split(".")[0]) >= oldestUsable) return process.execPath;
  throw new Error(
    `The Node that Inkstead brings along does not run here (${process.platform}, ${process.arch}). Start it with Node ${oldestUsable} or newer.`,
  );
}

/** npm was told not to run install scripts: the one that is needed is run here. */
async function fetchPinned(folder, pinned) {
  if (existsSync(pinned) || !existsSync(folder)) return;
  console.log("Fetching the Node that Inkstead runs on …");
  await run(process.execPath, ["installArchSpecificPackage.js"], folder);
}

/** Tried once per installation: the binary may be for another C library. */
function runs(root, pinned) {
  const stamp = join(root, "node_modules", ".runs");
  if (existsSync(stamp)) return true;
  const works = spawnSync(pinned, ["--version"]).status === 0;
  if (works) writeFileSync(stamp, "");
  return works;
}
