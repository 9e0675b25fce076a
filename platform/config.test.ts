import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "inkstead-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = "0123456789abcdef0123456789abcdef";
const read = (environment: Record<string, string | undefined> = {}) => readConfig({ DATA_DIR: folder, SECRET: secret, ...environment });

test("an empty environment gives the defaults", () => {
  expect(readConfig({ SECRET: secret })).toEqual({
    host: "127.0.0.1",
    port: 3000,
    siteUrl: "http://localhost:3000",
    dataDir: resolve("data"),
    databaseUrl: undefined,
    databaseConnections: 10,
    smtpUrl: undefined,
    adminEmails: [],
    secret,
  });
});

test("a variable that is empty or blank counts as absent", () => {
  const blank = { HOST: "", PORT: " ", SITE_URL: "", SMTP_URL: " ", ADMIN_EMAILS: "", DATABASE_URL: "", FILES_URL: "" };
  expect(read(blank)).toEqual(read());
});

describe("what can be chosen", () => {
  test.each([
    ["HOST", "0.0.0.0", { host: "0.0.0.0", siteUrl: "http://localhost:3000" }],
    ["HOST", "::", { host: "::", siteUrl: "http://localhost:3000" }],
    ["HOST", "fd00::7", { siteUrl: "http://[fd00::7]:3000" }],
    ["HOST", "inkstead.lan", { siteUrl: "http://inkstead.lan:3000" }],
    ["PORT", "8080", { port: 8080, siteUrl: "http://localhost:8080" }],
    ["PORT", "0", { port: 0 }],
    ["PORT", "65535", { port: 65535 }],
    ["SITE_URL", "https://stories.example", { siteUrl: "https://stories.example" }],
    ["SITE_URL", "https://stories.example:8443/", { siteUrl: "https://stories.example:8443" }],
    ["DATA_DIR", "/tmp/inkstead-elsewhere", { dataDir: "/tmp/inkstead-elsewhere" }],
    ["DATABASE_URL", "postgres://me:word@db.example/stories", { databaseUrl: "postgres://me:word@db.example/stories" }],
    ["DATABASE_URL", "postgresql://db.example:6432/stories", { databaseUrl: "postgresql://db.example:6432/stories" }],
    ["DATABASE_CONNECTIONS", "40", { databaseConnections: 40 }],
    ["SMTP_URL", "smtps://me:word@mail.example:465", { smtpUrl: "smtps://me:word@mail.example:465" }],
    ["ADMIN_EMAILS", "Ruth@Example.com", { adminEmails: ["ruth@example.com"] }],
    ["ADMIN_EMAILS", " a@b.example ,, c@d.example,", { adminEmails: ["a@b.example", "c@d.example"] }],
    ["SECRET", ` ${secret} `, { secret }],
  ])("%s=%s", (name, value, expected) => {
    expect(read({ [name]: value })).toMatchObject(expected);
  });
});

describe("what stops the start, with a message that names the variable", () => {
  test.each([
    ["PORT", "eighty", 'PORT must be a number (it is "eighty").'],
    ["PORT", "80.5", 'PORT must be a whole number (it is "80.5").'],
    ["PORT", "-1", 'PORT must be at least 0 (it is "-1").'],
    ["PORT", "65536", 'PORT must be at most 65535 (it is "65536").'],
    ["SITE_URL", "stories.example", 'SITE_URL must be a complete address that begins with https:// or http:// (it is "stories.example").'],
    [
      "SITE_URL",
      "ftp://stories.example",
      'SITE_URL must be a complete address that begins with https:// or http:// (it is "ftp://stories.example").',
    ],
    [
      "SITE_URL",
      "https://example.com/stories",
      'SITE_URL must end after the host or port: the site needs an address to itself (it is "https://example.com/stories").',
    ],
    ["ADMIN_EMAILS", "a@b.example, ruth", 'ADMIN_EMAILS must hold addresses parted by commas (it is "a@b.example, ruth").'],
    ["SMTP_URL", "https://me:word@mail.example", "SMTP_URL must be a complete address that begins with smtp:// or smtps://."],
    [
      "DATABASE_URL",
      "mysql://me:word@localhost/stories",
      "DATABASE_URL must be a complete address that begins with postgres:// or postgresql://.",
    ],
    ["DATABASE_CONNECTIONS", "1", 'DATABASE_CONNECTIONS must be at least 2 (it is "1").'],
    ["FILES_URL", "s3://bucket", "FILES_URL is not supported yet; leave it out and the data folder is used."],
    ["SECRET", "too short", "SECRET must be at least 32 characters long."],
  ])("%s=%s", (name, value, message) => {
    expect(() => read({ [name]: value })).toThrow(new ConfigError(message));
  });

  test("DATA_DIR under something that is no folder", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => readConfig({ DATA_DIR: join(folder, "file", "data") })).toThrow(/^DATA_DIR can't be (read|written to): /);
  });
});

describe("without SECRET", () => {
  test("a site on PostgreSQL does not start, and none is made", () => {
    const dataDir = join(folder, "shared");
    expect(() => readConfig({ DATA_DIR: dataDir, DATABASE_URL: "postgres://db.example/stories" })).toThrow(
      new ConfigError("SECRET must be set when DATABASE_URL is: every process on that database has to sign with the same one."),
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  test("one is made, kept for the owner's eyes only, and found again", () => {
    const dataDir = join(folder, "fresh", "data");
    const made = readConfig({ DATA_DIR: dataDir }).secret;
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    expect(readConfig({ DATA_DIR: dataDir }).secret).toBe(made);
    expect(statSync(join(dataDir, "secret")).mode & 0o777).toBe(0o600);
    expect(readConfig({ DATA_DIR: join(folder, "another") }).secret).not.toBe(made);
  });

  test("one that a crash cut short is made anew", () => {
    const dataDir = join(folder, "short");
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "secret"), "abc");
    const { secret: made } = readConfig({ DATA_DIR: dataDir });
    expect(made).toHaveLength(64);
    expect(readFileSync(join(dataDir, "secret"), "utf8").trim()).toBe(made);
  });
});
