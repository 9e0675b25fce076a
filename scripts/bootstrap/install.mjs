import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { withLock } from "./lock.mjs";

/** The oldest Node that runs TypeScript and has node:sqlite. */
const minNodeVersion = 24;

const { platform, arch } = process;
const windows = platform === "win32";
/** The package's path in package-lock.json. */
const nodePackage = `node_modules/${platform === "darwin" && arch === "arm64" ? "node-bin" : "node"}-${windows ? "win" : platform}-${arch}`;

/**
 * Installs the packages of package-lock.json once.
 * @param everything includes development packages.
 * @throws Error with a message for the operator.
 */
export async function ensureInstalled(root, everything) {
  if (isInstalled(root, everything)) return;
  await withLock(join(root, "build", ".lock"), async () => {
    if (isInstalled(root, everything)) return; // Another command was faster.
    // Development packages, once installed, are kept.
    if (!matchesLockfile(root, everything)) await install(root, everything || hasDevelopmentPackages(root));
    const scope = matchesLockfile(root, true) ? "everything" : "production";
    writeFileSync(join(root, "node_modules", ".installed"), `${lockHash(root)} ${scope}`);
  });
}

function isInstalled(root, everything) {
  const stamp = join(root, "node_modules", ".installed");
  if (!existsSync(stamp)) return false;
  const [hash, scope] = readFileSync(stamp, "utf8").split(" ");
  return hash === lockHash(root) && (scope === "everything" || !everything);
}

function hasDevelopmentPackages(root) {
  const stamp = join(root, "node_modules", ".installed");
  return existsSync(stamp) && readFileSync(stamp, "utf8").endsWith(" everything");
}

function lockHash(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** Whether `npm ci` was run by hand. npm writes its own list last, so a list means a complete installation. */
function matchesLockfile(root, everything) {
  const list = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(list)) return false;
  const { packages: present } = JSON.parse(readFileSync(list, "utf8"));
  const { packages: wanted } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  // Optional for npm, because each platform has a different one, but not for us.
  if (nodePackage in wanted && !(nodePackage in present)) return false;
  return Object.entries(wanted).every(([path, { version, optional, dev, devOptional }]) => {
    if (path === "") return true;
    if (path in present) return present[path].version === version;
    return optional === true || (!everything && (dev === true || devOptional === true));
  });
}

async function install(root, everything) {
  console.log("Installing packages (once, about half a minute) …");
  // Explicit, whatever NODE_ENV is. Production packages run no install scripts.
  const scope = everything ? ["--include=dev"] : ["--omit=dev", "--ignore-scripts"];
  const args = ["ci", ...scope, "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath ?? "";
  const isNpmCli = basename(npm) === "npm-cli.js";
  const code = isNpmCli ? await run(process.execPath, [npm, ...args], root) : await run("npm", args, root, windows);
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
 * The Node that package-lock.json pins by hash, one package per platform; or the running one where that doesn't work and this is new
 * enough.
 */
export function installedNode(root, ownVersion = process.versions.node) {
  const pinned = pinnedNode(root);
  const problem = existsSync(pinned) ? findProblem(root, pinned) : "it is not there";
  if (!problem) return pinned;
  if (Number(ownVersion.split(".")[0]) >= minNodeVersion) return process.execPath;
  const missing = problem.includes("libatomic.so.1")
    ? "Install that library (apt-get install libatomic1, dnf install libatomic), or start"
    : "Start";
  throw new Error(
    `The Node that comes with Inkstead doesn't run here (${process.platform}, ${process.arch}): ${problem}\n${missing} Inkstead with Node ${minNodeVersion} or newer.`,
  );
}

function pinnedNode(root) {
  return join(root, nodePackage, "bin", windows ? "node.exe" : "node");
}

/** The error when the binary doesn't run: it may be for another C library. Tried once per installation. */
function findProblem(root, pinned) {
  const stamp = join(root, "node_modules", ".runs");
  if (existsSync(stamp)) return undefined;
  const { status, stderr, error } = spawnSync(pinned, ["--version"], { encoding: "utf8" });
  if (status !== 0) return error?.message ?? (stderr.trim() || `it ended with ${status}`);
  writeFileSync(stamp, "");
  return undefined;
}

/**
 * Links `node_modules/.bin/node`, with which services and `deploy/inkstead` start the site, to `node`. npm 9 and 10 remove the link when
 * they leave out other platforms' packages.
 */
export function linkNode(root, node) {
  const link = join(root, "node_modules", ".bin", "node");
  if (windows || (existsSync(link) && realpathSync(link) === realpathSync(node))) return;
  try {
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(link), node), link);
  } catch (error) {
    // Another command was faster, or the folder is read-only.
    if (!["EEXIST", "EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
  }
}
