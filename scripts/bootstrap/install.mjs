import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { withLock } from "./lock.mjs";

/** Runs our TypeScript as it is and has node:sqlite. */
const oldestUsable = 24;

const { platform, arch } = process;
const windows = platform === "win32";
/** As package-lock.json names its place. */
const nodePackage = `node_modules/${platform === "darwin" && arch === "arm64" ? "node-bin" : "node"}-${windows ? "win" : platform}-${arch}`;

/**
 * Installs what package-lock.json names, unless that has been done.
 * @param everything also what only tests and checks need; a site that runs has none of it.
 * @throws Error with a message for the operator.
 */
export async function ensureInstalled(root, everything) {
  if (isInstalled(root, everything)) return;
  await withLock(join(root, "build", ".lock"), async () => {
    if (isInstalled(root, everything)) return; // Another command was faster.
    // Whoever has what tests need keeps it, also through a command that does without.
    if (!matchesLockfile(root, everything)) await install(root, everything || hasEverything(root));
    const extent = matchesLockfile(root, true) ? "everything" : "production";
    writeFileSync(join(root, "node_modules", ".installed"), `${lockHash(root)} ${extent}`);
  });
}

function isInstalled(root, everything) {
  const stamp = join(root, "node_modules", ".installed");
  if (!existsSync(stamp)) return false;
  const [hash, extent] = readFileSync(stamp, "utf8").split(" ");
  return hash === lockHash(root) && (extent === "everything" || !everything);
}

function hasEverything(root) {
  const stamp = join(root, "node_modules", ".installed");
  return existsSync(stamp) && readFileSync(stamp, "utf8").endsWith(" everything");
}

function lockHash(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** Whether somebody ran `npm ci` by hand. npm writes its own list last of all, so a list means a whole installation. */
function matchesLockfile(root, everything) {
  const list = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(list)) return false;
  const { packages: present } = JSON.parse(readFileSync(list, "utf8"));
  const { packages: wanted } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  // Optional for npm, because each platform has another one, but not for us.
  if (nodePackage in wanted && !(nodePackage in present)) return false;
  return Object.entries(wanted).every(([path, { version, optional, dev, devOptional }]) => {
    if (path === "") return true;
    if (path in present) return present[path].version === version;
    return optional === true || (!everything && (dev === true || devOptional === true));
  });
}

async function install(root, everything) {
  console.log("Installing packages (once, about half a minute) …");
  // Said in full, whatever NODE_ENV says. What a site needs runs no script of a package's own.
  const extent = everything ? ["--include=dev"] : ["--omit=dev", "--ignore-scripts"];
  const args = ["ci", ...extent, "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath ?? "";
  const runsNpm = basename(npm) === "npm-cli.js";
  const code = runsNpm ? await run(process.execPath, [npm, ...args], root) : await run("npm", args, root, windows);
  if (code !== 0) throw new Error("The packages couldn't be installed. npm's message is above.");
}

function run(file, args, cwd, shell = false) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, shell, stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

/**
 * The Node that package-lock.json pins by its hash, one package for each platform, or the one that runs this where that
 * doesn't work and this is new enough.
 */
export function installedNode(root, ownVersion = process.versions.node) {
  const pinned = pinnedNode(root);
  const fault = existsSync(pinned) ? faultOf(root, pinned) : "it is not there";
  if (!fault) return pinned;
  if (Number(ownVersion.split(".")[0]) >= oldestUsable) return process.execPath;
  const missing = fault.includes("libatomic.so.1")
    ? "Install that library (apt-get install libatomic1, dnf install libatomic), or start"
    : "Start";
  throw new Error(
    `The Node that comes with Inkstead doesn't run here (${process.platform}, ${process.arch}): ${fault}\n${missing} Inkstead with Node ${oldestUsable} or newer.`,
  );
}

function pinnedNode(root) {
  return join(root, nodePackage, "bin", windows ? "node.exe" : "node");
}

/** What it says when it doesn't run: the binary may be for another C library, or miss one. Tried once per installation. */
function faultOf(root, pinned) {
  const stamp = join(root, "node_modules", ".runs");
  if (existsSync(stamp)) return undefined;
  const { status, stderr, error } = spawnSync(pinned, ["--version"], { encoding: "utf8" });
  if (status !== 0) return error?.message ?? (stderr.trim() || `it ended with ${status}`);
  writeFileSync(stamp, "");
  return undefined;
}

/**
 * Makes `node_modules/.bin/node`, by which services and `deploy/inkstead` start the site, lead to `node`. npm 9 and 10 remove that link when
 * they leave out the Nodes of other platforms.
 */
export function linkNode(root, node) {
  const link = join(root, "node_modules", ".bin", "node");
  if (windows || (existsSync(link) && realpathSync(link) === realpathSync(node))) return;
  try {
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(link), node), link);
  } catch (error) {
    // Another command was faster, or this one may only read here.
    if (!["EEXIST", "EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
  }
}
