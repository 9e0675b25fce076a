import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "#platform/config.ts";
import { ArchiveWriter, readArchive } from "#platform/copy/archive.ts";
import { Checksum } from "#platform/copy/columns.ts";
import { connect } from "#platform/copy/snapshot.ts";
import { migrate } from "#platform/database/migrate.ts";
import { createDatabase, type TestDatabase } from "../../tests/postgres/databases.ts";
import { readOptions } from "./options.ts";
import { restore } from "./restore.ts";

const backup = "tests/databases/first-release.tar";

let database: TestDatabase;
let environment: Record<string, string>;
beforeEach(async () => {
  database = await createDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "inkstead-restore-"));
  environment = { SECRET: "a secret that only the tests know", DATA_DIR: dataDir, DATABASE_URL: database.url };
});
afterEach(async () => {
  rmSync(environment.DATA_DIR as string, { recursive: true });
  await database.drop();
});

async function restoreBackup(file = backup, ...options: string[]): Promise<string> {
  let output = "";
  await restore(readOptions([file, ...options], environment), { write: (text) => (output += text) });
  return output;
}

/** The backup with a file in addition. */
async function addFile(key: string, content: Buffer): Promise<string> {
  const path = join(environment.DATA_DIR as string, "with-file.tar");
  const writer = new ArchiveWriter(path);
  const [sum, sha256] = [new Checksum(), createHash("sha256").update(content).digest("hex")];
  sum.add([key, sha256]);
  for await (const part of readArchive(backup)) {
    if (part.kind === "manifest") await writer.writeManifest(part.manifest);
    else if (part.kind === "rows") await writer.writeTable(part.table, part.rows);
    else if (part.kind === "checksums") {
      await writer.writeFile(key, content, sha256);
      await writer.finish({ ...part.checksums, files: { count: 1, bytes: content.byteLength, sum: sum.toString() } });
    }
  }
  return path;
}

const open = (url = database.url) => connect(url, "inkstead test");

test("a database of a newer version is refused with the commands for an empty one, which then work", async () => {
  await restoreBackup();
  const site = await open();
  await site.query("insert into migrations (name, timestamp) values ('9999-later', '2099')");
  await site.close();
  const { message } = (await restoreBackup(backup, "--overwrite").catch((error: Error) => error)) as Error;
  const commands = message.match(/^ {2}(?:alter|create) database .*;$/gm) ?? [];
  expect(commands).toHaveLength(2);
  const url = new URL(database.url);
  url.pathname = "/postgres";
  const server = await open(url.href);
  for (const command of commands) await server.query(command);
  try {
    expect(await restoreBackup()).toContain("Everything matches");
  } finally {
    await server.query(`drop database ${database.name}_old`);
    await server.close();
  }
});

test("files are kept when the connection is lost after the commit", async () => {
  const [key, content] = ["lamp/original", Buffer.from("A lamp in the window")];
  const file = await addFile(key, content);
  await migrate(readConfig(environment), "0023-first-release");
  const [locking, watching] = [await open(), await open()];
  // Allows everything but `analyze`.
  await locking.query("begin");
  await locking.query("lock table likes in share update exclusive mode");
  const restoring = expect(restoreBackup(file)).rejects.toThrow("terminating connection");
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'analyze' and wait_event_type = 'Lock'`;
  await expect.poll(() => watching.query(end)).toHaveLength(1);
  await restoring;
  await locking.close();
  expect(await watching.query("select from posts limit 1")).toHaveLength(1);
  await watching.close();
  expect(readFileSync(join(environment.DATA_DIR as string, "files", key))).toEqual(content);
});
