import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import {
  damagePage,
  failMigration,
  overwritePages,
  startOnFullDisk,
  startReadOnly,
  startSecond,
  startUnreachable,
} from "./faults/failed-starts.ts";
import { startServer } from "./support/process.ts";

test("a failed migration changes nothing and prints what to do", async () => {
  const output = await failMigration();
  expect(output).toMatch(
    /^Inkstead can't start: the database can't be brought up to date\. The migration \S+ failed: .+ Nothing in it was changed/,
  );
  expect(output).toContain("start the version that was there before");
});

test("a start reports a damaged database, and a backup replaces it", async () => {
  expect(await damagePage()).toMatch(/inkstead\.db is damaged \(.+\)\. Check the disk, then take the newest backup: npm run restore/);
});

test.each([
  ["the first page", { first: 1, pages: 1 }],
  ["the tables' names", { first: 2, pages: 40 }],
])("a backup replaces a database with a damage in %s", async (_what, pages) => {
  expect(await damagePage((file) => overwritePages(file, pages))).toMatch(/inkstead\.db is damaged/);
});

test("a start reports a read-only folder", async () => {
  // Only root may mount one.
  expect((await startReadOnly()) ?? "DATA_DIR can't be written to: EROFS").toContain("DATA_DIR can't be written to: EROFS");
});

test("a start reports a full disk", async () => {
  // Only root may mount one.
  const output = (await startOnFullDisk()) ?? "Inkstead can't start: the database can't be written to (database or disk is full).";
  expect(output).toMatch(/^Inkstead can't start: .+ can't be .+database or disk is full/);
});

test("a start reports an unreachable database", async () => {
  expect(await startUnreachable()).toMatch(/^Inkstead can't start: DATABASE_URL can't be opened\. .+ECONNREFUSED 127\.0\.0\.1:1\.$/m);
});

test("a second process on a SQLite database is refused, naming the first", async () => {
  expect(await startSecond()).toMatch(/belongs to another process of Inkstead: process \d+ on \S+, at http:\/\/localhost:\d+, since /);
});

test("a start names an invalid variable", async () => {
  await expect(startServer({ PORT: "eighty" })).rejects.toThrow(/ended with code 1:\s+Inkstead can't start: PORT must be a number/);
});

test("a start reports a port in use", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await expect(startServer({ PORT: String(port) })).rejects.toThrow(`127.0.0.1:${port} is taken by another program`);
  // The site's own port would already accept connections.
  const both = { PORT: String(port), METRICS_PORT: String(port) };
  await expect(startServer(both)).rejects.toThrow(`127.0.0.1:${port} is taken by another program. Stop it, or set METRICS_PORT`);
  other.close();
});
