import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ConfigError, commandLine, defaultApi, readConfig } from "./config.ts";

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
    proxies: [],
    dataDir: resolve("data"),
    databaseUrl: undefined,
    databaseConnections: 10,
    requestLimitFactor: 1,
    loopLagLimit: 1_500,
    webhooks: { allowPrivate: false },
    metrics: { host: "127.0.0.1", port: undefined, token: undefined },
    s3: undefined,
    smtpUrl: undefined,
    mail: { from: undefined, replyTo: undefined, perMinute: 300, dkim: undefined },
    adminEmails: [],
    secret,
    api: defaultApi,
  });
});

test("an empty or blank variable counts as absent", () => {
  const blank = { HOST: "", PORT: " ", SITE_URL: "", SMTP_URL: " ", ADMIN_EMAILS: "", DATABASE_URL: "", FILES_URL: "" };
  expect(read(blank)).toEqual(read());
});

describe("valid values", () => {
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
    ["PROXY_ADDRESSES", "10.0.0.7, 172.30.0.0/24,2001:db8::/32", { proxies: ["10.0.0.7", "172.30.0.0/24", "2001:db8::/32"] }],
    ["DATA_DIR", "/tmp/inkstead-elsewhere", { dataDir: "/tmp/inkstead-elsewhere" }],
    ["DATABASE_URL", "postgres://me:word@db.example/stories", { databaseUrl: "postgres://me:word@db.example/stories" }],
    ["DATABASE_URL", "postgresql://db.example:6432/stories", { databaseUrl: "postgresql://db.example:6432/stories" }],
    ["DATABASE_CONNECTIONS", "40", { databaseConnections: 40 }],
    ["REQUEST_LIMIT_FACTOR", "2.5", { requestLimitFactor: 2.5 }],
    ["SMTP_URL", "smtps://me:word@mail.example:465", { smtpUrl: "smtps://me:word@mail.example:465" }],
    ["MAIL_FROM", "hello@stories.example", { mail: { from: { name: "", address: "hello@stories.example" } } }],
    ["MAIL_FROM", "Night Bus <hello@stories.example>", { mail: { from: { name: "Night Bus", address: "hello@stories.example" } } }],
    ["MAIL_REPLY_TO", "ask@stories.example", { mail: { replyTo: "ask@stories.example" } }],
    ["MAIL_PER_MINUTE", "60", { mail: { perMinute: 60 } }],
    ["ADMIN_EMAILS", "Ruth@Example.com", { adminEmails: ["ruth@example.com"] }],
    ["ADMIN_EMAILS", " a@b.example ,, c@d.example,", { adminEmails: ["a@b.example", "c@d.example"] }],
    ["WEBHOOKS_ALLOW_PRIVATE", "yes", { webhooks: { allowPrivate: true } }],
    ["METRICS_PORT", "9101", { metrics: { host: "127.0.0.1", port: 9101, token: undefined } }],
    ["LOG_LEVEL", "debug", { logLevel: "debug" }],
    ["METRICS_TOKEN", secret, { metrics: { port: undefined, token: secret } }],
    ["SECRET", ` ${secret} `, { secret }],
  ])("%s=%s", (name, value, expected) => {
    expect(read({ [name]: value })).toMatchObject(expected);
  });
});

describe("invalid values name the variable", () => {
  test.each([
    [
      "MAIL_FROM",
      "Night Bus",
      'MAIL_FROM must be an address such as hello@example.com or Night Bus <hello@example.com> (it is "Night Bus").',
    ],
    ["MAIL_PER_MINUTE", "0", 'MAIL_PER_MINUTE must be at least 1 (it is "0").'],
    ["DKIM_SELECTOR", "mail", "DKIM_KEY_FILE, DKIM_SELECTOR and DKIM_DOMAIN or MAIL_FROM are needed together."],
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
      'SITE_URL must end after the host or port: the site cannot run under a path (it is "https://example.com/stories").',
    ],
    ["ADMIN_EMAILS", "a@b.example, ruth", 'ADMIN_EMAILS must be addresses, separated by commas (it is "a@b.example, ruth").'],
    ["SMTP_URL", "https://me:word@mail.example", "SMTP_URL must be a complete address that begins with smtp:// or smtps://."],
    [
      "DATABASE_URL",
      "mysql://me:word@localhost/stories",
      "DATABASE_URL must be a complete address that begins with postgres:// or postgresql://.",
    ],
    ["DATABASE_CONNECTIONS", "1", 'DATABASE_CONNECTIONS must be at least 2 (it is "1").'],
    ["REQUEST_LIMIT_FACTOR", "0", 'REQUEST_LIMIT_FACTOR must be above 0 (it is "0").'],
    [
      "PROXY_ADDRESSES",
      "10.0.0.7, nginx",
      'PROXY_ADDRESSES must be addresses or ranges such as 10.0.0.0/8, separated by commas (it is "10.0.0.7, nginx").',
    ],
    ["METRICS_PORT", "none", 'METRICS_PORT must be a number (it is "none").'],
    ["METRICS_TOKEN", "too short", "METRICS_TOKEN must be at least 20 characters long."],
    ["LOG_LEVEL", "warning", 'LOG_LEVEL must be trace, debug, info, warn or error (it is "warning").'],
    ["LOG_LEVEL", "silent", 'LOG_LEVEL must be trace, debug, info, warn or error (it is "silent").'],
    ["SECRET", "too short", "SECRET must be at least 32 characters long."],
  ])("%s=%s", (name, value, message) => {
    expect(() => read({ [name]: value })).toThrow(new ConfigError(message));
  });

  test("DATA_DIR under a file", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => readConfig({ DATA_DIR: join(folder, "file", "data") })).toThrow(/^DATA_DIR can't be (read|written to): /);
  });
});

describe("FILES_URL", () => {
  const keys = { AWS_ACCESS_KEY_ID: "an id", AWS_SECRET_ACCESS_KEY: "a secret" };
  const place = (address: string, more: Record<string, string> = {}) => read({ FILES_URL: address, ...keys, ...more }).s3;

  test("uses Amazon's bucket of a region", () => {
    expect(place("s3://my-bucket?region=eu-north-1")).toEqual({
      bucket: "my-bucket",
      endpoint: undefined,
      region: "eu-north-1",
      pathStyle: false,
      prefix: "",
      checksums: false,
      credentials: { accessKeyId: "an id", secretAccessKey: "a secret" },
    });
  });

  test("uses another endpoint with the bucket in the path", () => {
    const written = "s3://stories.example?endpoint=http://10.0.0.7:9000/s3/&prefix=sites/inkstead/";
    expect(place(written)).toMatchObject({
      bucket: "stories.example",
      endpoint: "http://10.0.0.7:9000/s3",
      region: "us-east-1",
      pathStyle: true,
      prefix: "sites/inkstead",
    });
    const encoded = "s3://stories.example/?endpoint=https%3A%2F%2Fs3.example&pathStyle=false&region=auto&checksums=true";
    expect(place(encoded)).toMatchObject({ endpoint: "https://s3.example", pathStyle: false, region: "auto", checksums: true });
  });

  test("accepts temporary keys", () => {
    const credentials = { accessKeyId: "an id", secretAccessKey: "a secret", sessionToken: "a token" };
    expect(place("s3://my-bucket?region=eu-north-1", { AWS_SESSION_TOKEN: "a token" })).toMatchObject({ credentials });
  });

  const bucket = "FILES_URL must name a bucket after s3://, of 3 to 63 lower-case letters, digits, dots and hyphens.";
  const endpoint = "FILES_URL has an endpoint that isn't a plain address such as https://s3.example.com or http://10.0.0.7:9000.";
  test.each([
    ["my-bucket", "FILES_URL must begin with s3://."],
    ["https://s3.example/my-bucket", "FILES_URL must begin with s3://."],
    ["s3:my-bucket?region=a", "FILES_URL must begin with s3://."],
    ["s3://", bucket],
    ["s3://ab?region=a", bucket],
    ["s3://My_Bucket?region=a", bucket],
    ["s3://my-bucket:9000?region=a", bucket],
    ["s3://an-id:secret@my-bucket?region=a", "FILES_URL must not contain keys; put them in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."],
    [
      "s3://my-bucket/inkstead?region=a",
      "FILES_URL has a path that can't be used: “/inkstead” isn't allowed; write it as prefix=… after the question mark.",
    ],
    ["s3://my-bucket?prefix=a#b&region=a", "FILES_URL must not have a # in it; write it as %23."],
    ["s3://my-bucket", "FILES_URL needs region=… or, for a store that is not Amazon's, endpoint=https://…."],
    [
      "s3://my-bucket?region=EU North",
      "FILES_URL has a region that can't be used: “EU North” may have lower-case letters, digits and hyphens only.",
    ],
    ["s3://my-bucket?endpoint=s3.example", endpoint],
    ["s3://my-bucket?endpoint=ftp://s3.example", endpoint],
    ["s3://my-bucket?endpoint=https://an-id:secret@s3.example", endpoint],
    ["s3://my-bucket?endpoint=https://an-id:secret@s3.example:port", endpoint],
    ["s3://my-bucket?endpoint=", endpoint],
    ["s3://my-bucket?region=a&pathStyle=yes", "FILES_URL has a pathStyle that can't be used: “yes” must be true or false."],
    ["s3://my-bucket?region=a&checksums=", "FILES_URL has a checksums that can't be used: “” must be true or false."],
    [
      "s3://my-bucket?region=a&prefix=../b",
      "FILES_URL has a prefix that can't be used: “../b” may have letters, digits, -, _ and . between single slashes.",
    ],
    [
      "s3://my-bucket?region=a&prefix=/b",
      "FILES_URL has a prefix that can't be used: “/b” may have letters, digits, -, _ and . between single slashes.",
    ],
    ["s3://my-bucket?region=a&region=b", "FILES_URL names region twice."],
    [
      "s3://my-bucket?region=a&secret=word",
      "FILES_URL has a part named “secret”, which is not one of endpoint, region, pathStyle, prefix, checksums.",
    ],
    ["s3://my-bucket?Region=a", "FILES_URL has a part named “Region”, which is not one of endpoint, region, pathStyle, prefix, checksums."],
  ])("%s stops the start", (address, message) => {
    expect(() => place(address)).toThrow(new ConfigError(message));
  });

  test.each(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])("without %s stops the start", (name) => {
    const message = `${name} is missing: it's needed to open the bucket in FILES_URL.`;
    expect(() => place("s3://my-bucket?region=a", { [name]: " " })).toThrow(new ConfigError(message));
  });
});

describe("without SECRET", () => {
  test("a site on PostgreSQL doesn't start", () => {
    const dataDir = join(folder, "shared");
    expect(() => readConfig({ DATA_DIR: dataDir, DATABASE_URL: "postgres://db.example/stories" })).toThrow(
      new ConfigError("SECRET must be set when DATABASE_URL is: all processes on that database need the same one."),
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  test("it is created once, readable by its owner only", () => {
    const dataDir = join(folder, "fresh", "data");
    const made = readConfig({ DATA_DIR: dataDir }).secret;
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    expect(readConfig({ DATA_DIR: dataDir }).secret).toBe(made);
    expect(statSync(join(dataDir, "secret")).mode & 0o777).toBe(0o600);
    expect(readConfig({ DATA_DIR: join(folder, "another") }).secret).not.toBe(made);
  });

  test("a truncated one is replaced", () => {
    const dataDir = join(folder, "short");
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "secret"), "abc");
    const { secret: made } = readConfig({ DATA_DIR: dataDir });
    expect(made).toHaveLength(64);
    expect(readFileSync(join(dataDir, "secret"), "utf8").trim()).toBe(made);
  });
});

test("commands are shown as this installation runs them", () => {
  expect(commandLine("admin", "list")).toBe("npm run admin -- list");
  expect(commandLine("backup")).toBe("npm run backup");
  vi.stubEnv("INKSTEAD_COMMAND", "sudo inkstead");
  expect(commandLine("admin", "list")).toBe("sudo inkstead admin list");
  expect(commandLine("backup")).toBe("sudo inkstead backup");
  vi.unstubAllEnvs();
});
