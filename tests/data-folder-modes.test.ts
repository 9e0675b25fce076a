import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "./support/process.ts";

/** Access of other accounts of the machine to a file or folder. A partly written email has another name. */
const modeForOthers = (path: string) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077).toString(8);

function openPaths(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return [folder, ...inside].filter((path) => modeForOthers(path) !== "0");
}

describe("the data folder of a running site", () => {
  let server: RunningServer;
  let previousMask: number;
  // The common mask; the parent process may have a stricter one.
  beforeEach(async () => {
    previousMask = process.umask(0o022);
    server = await startServer();
  });
  afterEach(async () => {
    process.umask(previousMask);
    await server.close();
  });

  async function signUp(email: string): Promise<void> {
    const body = new URLSearchParams({
      name: "Ines",
      email,
      password: "a boat under the pines",
      confirmPassword: "a boat under the pines",
    });
    const response = await fetch(`${server.url}/signup`, { method: "POST", body, headers: { origin: server.url }, redirect: "manual" });
    expect(response.status).toBe(302);
  }

  test("has no file that another account can read", async () => {
    await signUp("ines@example.com");
    await expect.poll(() => readdirSync(join(server.dataDir, "mail"))).toEqual([expect.stringMatching(/^[^.].*\.eml$/)]);
    expect(readdirSync(server.dataDir)).toEqual(expect.arrayContaining(["inkstead.db", "inkstead.db-wal", "mail"]));
    expect(openPaths(server.dataDir)).toEqual([]);
  });

  test("gets its permissions back at the next start", async () => {
    await signUp("ines@example.com");
    await server.kill();
    mkdirSync(join(server.dataDir, "backups"), { recursive: true, mode: 0o755 });
    writeFileSync(join(server.dataDir, "inkstead.db.before-restore-2026-01-01T000000"), "", { mode: 0o644 });
    for (const path of [
      server.dataDir,
      ...readdirSync(server.dataDir, { recursive: true }).map((name) => join(server.dataDir, String(name))),
    ])
      chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
    await server.start();
    expect(openPaths(server.dataDir)).toEqual([]);
  });
});
