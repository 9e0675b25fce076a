import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Source } from "./source.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "inkstead-source-"));
  file = join(folder, "inkstead.db");
  const database = new DatabaseSync(file);
  database.exec("create table stories (id integer primary key, title text)");
  database.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

test("no other process can open the file while it is open, even after a read", () => {
  const source = new Source(folder);
  source.fingerprint();
  expect(write).toThrow("database is locked");
  source.close();
  expect(write).not.toThrow();
});

test("equal data has an equal fingerprint, changed data another", () => {
  const before = fingerprint();
  expect(fingerprint()).toBe(before);
  write();
  expect(fingerprint()).not.toBe(before);
});

function fingerprint(): string {
  const source = new Source(folder);
  try {
    return source.fingerprint();
  } finally {
    source.close();
  }
}

/** In another process: a process doesn't lock itself out. */
function write(): void {
  const script = `new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("insert into stories (title) values ('A story')")`;
  execFileSync(process.execPath, ["-e", script, file], { stdio: ["ignore", "ignore", "pipe"] });
}
