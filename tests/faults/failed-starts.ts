import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeBackup } from "#domain/backups/backups.server.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { readOptions } from "../../scripts/restore/options.ts";
import { restore } from "../../scripts/restore/restore.ts";
import { type RunningServer, startServer } from "../support/process.ts";
import { startS3 } from "../support/s3.ts";
import { isPostComplete, memberCookie, publish } from "./crash.ts";
import { smallDisk } from "./small-disks.ts";

/** The output of a failed start. */
async function startError(start: Promise<unknown>): Promise<string> {
  return start.then(
    () => {
      throw new Error("The server started.");
    },
    (error: Error) => error.message,
  );
}

/** On a read-only disk. Needs root. */
export async function startReadOnly(): Promise<string | undefined> {
  const disk = smallDisk("8m");
  if (!disk) return undefined;
  try {
    execFileSync("mount", ["-o", "remount,ro", disk.folder]);
    const output = await startError(startServer({ DATA_DIR: disk.folder }));
    return output.slice(output.indexOf("Inkstead can't start"));
  } finally {
    disk.remove();
  }
}

/** On a full disk. Needs root. */
export async function startOnFullDisk(): Promise<string | undefined> {
  const disk = smallDisk("8m");
  if (!disk) return undefined;
  try {
    disk.leave(64 * 1024, "");
    const output = await startError(startServer({ DATA_DIR: disk.folder }));
    return output.slice(output.indexOf("Inkstead can't start"));
  } finally {
    disk.remove();
  }
}

/** With the address of no PostgreSQL. */
export async function startUnreachable(): Promise<string> {
  const output = await startError(startServer({ DATABASE_URL: "postgres://inkstead:word@127.0.0.1:1/inkstead", SECRET: "s".repeat(32) }));
  return output.slice(output.indexOf("Inkstead can't start"));
}

/** A migration that fails. @returns the output. @throws Error when anything was changed */
export async function failMigration(): Promise<string> {
  return withSite(async (server, file) => {
    const database = new DatabaseSync(file);
    // This one creates a table, which exists.
    database.exec("delete from migrations where name >= '0047-deletion-cleanups'");
    database.close();
    const before = contentOf(file);
    const output = await startError(server.start());
    if (contentOf(file) !== before) throw new Error("the database was changed");
    return output.slice(output.lastIndexOf("Inkstead can't start"));
  });
}

/** Overwrites a page of the file, then restores a backup over it. @returns the output. @throws Error when the story isn't restored */
export async function damagePage(damage: (file: string) => void = damagePosts): Promise<string> {
  return withSite(async (server, file) => {
    const { path } = await backUp(server);
    damage(file);
    const output = await startError(server.start());
    await restore(readOptions([path, "--overwrite"], server.environment), { write: () => true });
    await server.start();
    if (!(await isPostComplete(server.url, "story-1"))) throw new Error("the story was not restored");
    return output.slice(output.lastIndexOf("Inkstead can't start"));
  });
}

function damagePosts(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const { root } = database.prepare("select rootpage as root from sqlite_schema where name = 'posts'").get() as { root: number };
  const { page_size: size } = database.prepare("pragma page_size").get() as { page_size: number };
  database.close();
  overwritePages(file, { first: root, pages: 1, size });
}

export function overwritePages(file: string, { first, pages, size = 4096 }: { first: number; pages: number; size?: number }): void {
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(size * pages, 0x5a), 0, size * pages, (first - 1) * size);
  closeSync(handle);
}

async function backUp(server: RunningServer): Promise<{ path: string }> {
  const site = await openSite(readConfig(server.environment), createLog("silent"));
  return makeBackup(site, "console").finally(() => closeSite(site));
}

/** Without SQLite's own bookkeeping. */
function contentOf(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  const hash = createHash("sha256");
  const tables = database.prepare("select name, type, sql from sqlite_schema where name not like 'sqlite_%' order by name").all();
  for (const { name, type, sql } of tables) {
    hash.update(`${name} ${sql}`);
    if (type === "table" && !/^create virtual/i.test(String(sql)))
      hash.update(JSON.stringify(database.prepare(`select * from "${name}"`).all(), bigints));
  }
  database.close();
  return hash.digest("hex");
}

const bigints = (_key: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

/** A second process on the data folder of a running one, which must not be disturbed. */
export async function startSecond(): Promise<string> {
  const server = await startServer();
  try {
    const output = await startError(startServer({ DATA_DIR: server.dataDir }));
    if (!(await fetch(server.url)).ok) throw new Error("the first process no longer answers");
    return output.slice(output.indexOf("Inkstead can't start"));
  } finally {
    await server.close();
  }
}

/** With keys that the file store rejects; then with the right ones. */
export async function startWithWrongKeys(): Promise<string> {
  const s3 = await startS3();
  const right = s3.environment(s3.place());
  const server = await startServer(right);
  try {
    const slug = "harbour";
    await publish(server, await memberCookie(server), slug);
    await server.stop();
    const wrong = { ...server.environment, DATA_DIR: server.dataDir, AWS_ACCESS_KEY_ID: "SOMEBODYELSE" };
    const output = await startError(startServer(wrong));
    await server.start();
    if (!(await isPostComplete(server.url, slug))) throw new Error("the story is missing");
    return output.slice(output.indexOf("Inkstead can't start"));
  } finally {
    await server.close();
    await s3.close();
  }
}

async function withSite<Result>(work: (server: RunningServer, file: string) => Promise<Result>): Promise<Result> {
  const server = await startServer();
  try {
    const cookie = await memberCookie(server);
    for (const slug of ["story-1", "story-2"]) await publish(server, cookie, slug);
    await server.stop();
    return await work(server, join(server.dataDir, "inkstead.db"));
  } finally {
    await server.close();
  }
}
