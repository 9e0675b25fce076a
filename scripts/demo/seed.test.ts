import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "#platform/config.ts";
import { demoEnvironment } from "./environment.ts";
import { isEmptyFolder } from "./seed.ts";

test("the sample community fills only a missing or empty folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-demo-"));
  try {
    expect(await isEmptyFolder(join(folder, "data"))).toBe(true);
    expect(await isEmptyFolder(folder)).toBe(true);
    writeFileSync(join(folder, "inkstead.db"), "");
    expect(await isEmptyFolder(folder)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the demo uses nothing of the site whose settings are in the environment", () => {
  const environment = {
    ...{ PORT: "4000", PATH: "/usr/bin", DATABASE_URL: "postgres://me:word@db.example/stories", SECRET: "s".repeat(32) },
    ...{ DATA_DIR: "/var/lib/inkstead", FILES_URL: "s3://letters?region=a", AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "word" },
    ...{ BACKUP_RECIPIENT: "age1", BACKUP_S3_URL: "s3://backups?region=a", SMTP_URL: "smtps://mail.example:465" },
  };
  const demo = demoEnvironment(environment);
  expect(demo).toEqual({ PORT: "4000", PATH: "/usr/bin", DATA_DIR: "./data-demo" });
  expect(readConfig({ ...demo, SECRET: "d".repeat(32) })).toMatchObject({
    ...{ port: 4000, dataDir: resolve("data-demo"), databaseUrl: undefined, s3: undefined, offsite: undefined, smtpUrl: undefined },
  });
});
