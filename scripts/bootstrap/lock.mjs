import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";

const heartbeatMs = 1_000;
const staleLockMs = 15_000;

/**
 * Runs `work` while no other process holds the same lock file. A dead holder is detected by its process id on this machine, by its silence
 * from another machine or container.
 */
export async function withLock(file, work) {
  const token = await acquire(file);
  const heartbeat = setInterval(() => touch(file), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if (read(file) === token) rmSync(file, { force: true });
  }
}

async function acquire(file) {
  const token = JSON.stringify({ pid: process.pid, host: hostname(), at: Date.now(), key: Math.random() });
  mkdirSync(dirname(file), { recursive: true });
  for (let tries = 0; ; tries++) {
    if (create(file, token)) {
      await pause(20); // Another process may be removing a dead holder's file and have caught ours.
      if (read(file) === token) return token;
      continue;
    }
    const holder = read(file);
    if (holder !== undefined && isDead(file, holder)) removeStale(file, holder);
    else if (tries === 4) console.log("Waiting for another command that is installing or building …");
    await pause(250);
  }
}

function create(file, token) {
  try {
    writeFileSync(file, token, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function isDead(file, holder) {
  try {
    if (Date.now() - statSync(file).mtimeMs > staleLockMs) return true;
    const { pid, host } = JSON.parse(holder);
    if (host === hostname()) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/** Renames, which only one of several processes can do; a live holder's file is put back. */
function removeStale(file, holder) {
  const renamed = `${file}.${process.pid}`;
  try {
    renameSync(file, renamed);
    if (read(renamed) !== holder) create(file, read(renamed) ?? "");
    rmSync(renamed, { force: true });
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The folder is gone, and with it the lock.
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
