import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "#platform/copy/snapshot.ts";
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

async function restoreBackup(...options: string[]): Promise<string> {
  let output = "";
  await restore(readOptions([backup, ...options], environment), { write: (text) => (output += text) });
  return output;
}

const open = (url = database.url) => connect(url, "inkstead test");

test("a database of a newer version is refused with the commands for an empty one, which then work", async () => {
  await restoreBackup();
  const site = await open();
  await site.query("insert into migrations (name, timestamp) values ('9999-later', '2099')");
  await site.close();
  const { message } = (await restoreBackup("--overwrite").catch((error: Error) => error)) as Error;
  const commands = message.match(/^ {2}(?:alter|create) database .*;$/gm) ?? [];
  expect(commands).toHaveLength(2);
  const url = new URL(database.url);
  url.pathname = "/postgres";
  const server = await open(url.href);
  for (const command of commands) await server.query(command);
  try {
    expect(await restoreBackup()).toContain("Everything matches");
  } finally {
    await server.query(`drop database ${database.name}_before_restore`);
    await server.close();
  }
});
