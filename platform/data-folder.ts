import { chmod, lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "./log.ts";

const others = 0o077;
const sticky = 0o1000;
const privateFolders = ["mail", "files", "backups"];
const privateFiles = /^(inkstead\.db.*|secret(\.new)?|serving\..*)$/;

/** Creates the data folder and removes other users' access to it and its top level. Files of other users stay unchanged, with a warning. */
export async function restrictDataFolder(dataDir: string, log: Log): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (process.platform === "win32") return;
  const names = await readdir(dataDir);
  const sensitive = names.filter((name) => privateFolders.includes(name) || privateFiles.test(name));
  const paths = [dataDir, ...sensitive.map((name) => join(dataDir, name)), ...(await listFiles(join(dataDir, "mail")))];
  for (const path of paths) await restrict(path).catch((err) => log.warn({ err, path }, "other accounts of this machine can read this"));
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}

async function restrict(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined); // SQLite may have removed a file meanwhile.
  if (!stats || stats.isSymbolicLink() || (stats.mode & sticky) !== 0 || (stats.mode & others) === 0) return;
  await chmod(path, stats.mode & 0o700);
}
