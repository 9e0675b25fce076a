import { createPrivateKey, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { mailbox, namedIds, s3Url } from "./config-values.ts";
import type { OffsiteConfig } from "./files/archive-bucket.ts";
import type { S3Config } from "./files/s3-url.ts";
import { apiIdPattern } from "./ids.ts";

export type Config = {
  host: string;
  port: number;
  siteUrl: string;
  proxies: string[];
  dataDir: string;
  databaseUrl: string | undefined;
  databaseConnections: number;
  s3: S3Config | undefined;
  offsite: OffsiteConfig | undefined;
  smtpUrl: string | undefined;
  mail: MailConfig;
  adminEmails: string[];
  secret: string;
  api: ApiConfig;
  requestLimitFactor: number;
  /** Milliseconds of event loop lag after which costly requests are refused. */
  loopLagLimit: number;
  webhooks: { allowPrivate: boolean };
  /** Prometheus metrics: on their own port, or on the site's with a token. */
  metrics: { host: string; port: number | undefined; token: string | undefined };
  logLevel: LogLevel | undefined;
};

/** Without levels above `error`, at which errors would reach neither the log nor Admin Panel → Errors. */
const logLevels = ["trace", "debug", "info", "warn", "error"] as const;
type LogLevel = (typeof logLevels)[number];

type MailConfig = {
  /** Default: no-reply@ the site's host, with its name. */
  from: { name: string; address: string } | undefined;
  replyTo: string | undefined;
  perMinute: number;
  dkim: { domainName: string; keySelector: string; privateKey: string } | undefined;
};

export type ApiConfig = {
  project: string;
  database: string;
  bucket: string;
  collections: Record<string, string>;
  origins: string[];
};

export const defaultApi: ApiConfig = { project: "inkstead", database: "main", bucket: "files", collections: {}, origins: [] };

export class ConfigError extends Error {}

const confidential = ["SECRET", "METRICS_TOKEN", "SMTP_URL", "DATABASE_URL", "FILES_URL", "BACKUP_S3_URL", "BACKUP_RECIPIENT"];

const minSecretLength = 32;
const minTokenLength = 20;
const url = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join("|")})$`),
    error: `must be a complete address that begins with ${protocols.map((protocol) => `${protocol}://`).join(" or ")}`,
  });
const emailList = (email: z.ZodType<string, string>) =>
  z
    .string()
    .default("")
    .transform((text) => text.split(",").map((part) => part.trim().toLowerCase()))
    .transform((parts) => parts.filter(Boolean))
    .pipe(z.array(email));

const apiId = (name: string) =>
  z.string().regex(apiIdPattern, "must be an id: at most 36 letters, digits, periods, hyphens and underscores").default(name);

const wholeNumber = (min: number) => z.coerce.number("must be a number").int("must be a whole number").min(min, `must be at least ${min}`);
const portNumber = wholeNumber(0).max(65535, "must be at most 65535");

const variables = {
  HOST: z.string().default("127.0.0.1"),
  PORT: portNumber.default(3000),
  SITE_URL: url("https", "http")
    .regex(/^[^/]+\/\/[^/?#]+\/*$/, "must end after the host or port: the site cannot run under a path")
    .optional(),
  PROXY_ADDRESSES: emailList(
    z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], "must be addresses or ranges such as 10.0.0.0/8, separated by commas"),
  ),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: url("postgres", "postgresql").optional(),
  DATABASE_CONNECTIONS: wholeNumber(2).default(10),
  FILES_URL: z.string().transform(s3Url).optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  BACKUP_RECIPIENT: emailList(z.string().startsWith("age1", "must be the public key, which begins with age1")),
  BACKUP_S3_URL: z.string().transform(s3Url).optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
  SMTP_URL: url("smtp", "smtps").optional(),
  MAIL_FROM: z.string().transform(mailbox).optional(),
  MAIL_REPLY_TO: z.email("must be an address").optional(),
  MAIL_PER_MINUTE: wholeNumber(1).default(300),
  DKIM_DOMAIN: z.string().optional(),
  DKIM_SELECTOR: z.string().optional(),
  DKIM_KEY_FILE: z.string().optional(),
  ADMIN_EMAILS: emailList(z.email("must be addresses, separated by commas")),
  API_PROJECT: apiId(defaultApi.project),
  API_DATABASE: apiId(defaultApi.database),
  API_BUCKET: apiId(defaultApi.bucket),
  API_COLLECTIONS: z.string().default("").transform(namedIds),
  API_ORIGINS: emailList(
    url("https", "http").regex(/^[^/]+\/\/[^/?#]+$/, "must be origins such as https://app.example.org, separated by commas"),
  ),
  REQUEST_LIMIT_FACTOR: z.coerce
    .number("must be a number")
    .positive("must be above 0")
    .max(1_000_000, "must be at most 1000000")
    .default(1),
  LOOP_LAG_LIMIT: wholeNumber(100).default(1_500),
  METRICS_HOST: z.string().default("127.0.0.1"),
  METRICS_PORT: portNumber.optional(),
  METRICS_TOKEN: z.string().min(minTokenLength, `must be at least ${minTokenLength} characters long`).optional(),
  WEBHOOKS_ALLOW_PRIVATE: z.enum(["yes", "no"], "must be yes or no").default("no"),
  LOG_LEVEL: z.enum(logLevels, "must be trace, debug, info, warn or error").optional(),
  SECRET: z.string().min(minSecretLength, `must be at least ${minSecretLength} characters long`).optional(),
};

export const variableNames: readonly string[] = Object.keys(variables);

export function readConfig(environment: Record<string, string | undefined>): Config {
  const read = <Name extends keyof typeof variables>(name: Name): z.output<(typeof variables)[Name]> => {
    const given = environment[name]?.trim() || undefined;
    const result = variables[name].safeParse(given);
    if (result.success) return result.data as z.output<(typeof variables)[Name]>;
    const value = confidential.includes(name) ? "" : ` (it is ${JSON.stringify(given)})`;
    throw new ConfigError(`${name} ${result.error.issues[0]?.message ?? "can't be used"}${value}.`);
  };
  const host = read("HOST");
  const port = read("PORT");
  const dataDir = resolve(read("DATA_DIR"));
  const databaseUrl = read("DATABASE_URL");
  const secret = read("SECRET");
  if (databaseUrl !== undefined && secret === undefined)
    throw new ConfigError("SECRET must be set when DATABASE_URL is: all processes on that database need the same one.");
  return {
    host,
    port,
    siteUrl: (read("SITE_URL") ?? localUrl(host, port)).replace(/\/+$/, ""),
    proxies: read("PROXY_ADDRESSES"),
    dataDir,
    databaseUrl,
    databaseConnections: read("DATABASE_CONNECTIONS"),
    s3: s3Config(),
    offsite: offsiteConfig(),
    smtpUrl: read("SMTP_URL"),
    mail: mailConfig(),
    adminEmails: read("ADMIN_EMAILS"),
    secret: secret ?? loadSecret(dataDir),
    api: {
      project: read("API_PROJECT"),
      database: read("API_DATABASE"),
      bucket: read("API_BUCKET"),
      collections: read("API_COLLECTIONS"),
      origins: read("API_ORIGINS"),
    },
    requestLimitFactor: read("REQUEST_LIMIT_FACTOR"),
    loopLagLimit: read("LOOP_LAG_LIMIT"),
    webhooks: { allowPrivate: read("WEBHOOKS_ALLOW_PRIVATE") === "yes" },
    metrics: { host: read("METRICS_HOST"), port: read("METRICS_PORT"), token: read("METRICS_TOKEN") },
    logLevel: read("LOG_LEVEL"),
  };

  function mailConfig(): MailConfig {
    const from = read("MAIL_FROM");
    return { from, replyTo: read("MAIL_REPLY_TO"), perMinute: read("MAIL_PER_MINUTE"), dkim: dkimKey(from?.address) };
  }

  function dkimKey(sender: string | undefined): MailConfig["dkim"] {
    const [file, keySelector] = [read("DKIM_KEY_FILE"), read("DKIM_SELECTOR")];
    if (file === undefined && keySelector === undefined) return undefined;
    const domainName = read("DKIM_DOMAIN") ?? sender?.split("@")[1];
    if (!file || !keySelector || !domainName)
      throw new ConfigError("DKIM_KEY_FILE, DKIM_SELECTOR and DKIM_DOMAIN or MAIL_FROM are needed together.");
    try {
      return {
        domainName,
        keySelector,
        privateKey: createPrivateKey(readFileSync(file)).export({ type: "pkcs8", format: "pem" }).toString(),
      };
    } catch (error) {
      throw new ConfigError(`DKIM_KEY_FILE must be the path of a private key: ${(error as Error).message}.`);
    }
  }

  function s3Config(): S3Config | undefined {
    const filesUrl = read("FILES_URL");
    return filesUrl && { ...filesUrl, credentials: credentials("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "FILES_URL") };
  }

  function offsiteConfig(): OffsiteConfig | undefined {
    const [recipients, own, files] = [read("BACKUP_RECIPIENT"), read("BACKUP_S3_URL"), s3Config()];
    if (recipients.length === 0) {
      if (own) throw new ConfigError("BACKUP_RECIPIENT is missing: backups in BACKUP_S3_URL are encrypted to that public key.");
      return undefined;
    }
    if (!own && !files) throw new ConfigError("BACKUP_S3_URL is missing: it says where the backups for BACKUP_RECIPIENT go.");
    return { recipients, s3: own ? { ...own, credentials: backupCredentials() } : inBackupsFolder(files as S3Config) };
  }

  function backupCredentials(): S3Config["credentials"] {
    const ownKeys = read("BACKUP_S3_ACCESS_KEY_ID") !== undefined;
    if (ownKeys) return credentials("BACKUP_S3_ACCESS_KEY_ID", "BACKUP_S3_SECRET_ACCESS_KEY", "BACKUP_S3_URL");
    return credentials("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "BACKUP_S3_URL");
  }

  function credentials(id: KeyName, secret: KeyName, bucketIn: string): S3Config["credentials"] {
    const required = (name: KeyName) => {
      const value = read(name);
      if (value === undefined) throw new ConfigError(`${name} is missing: it's needed to open the bucket in ${bucketIn}.`);
      return value;
    };
    const sessionToken = id === "AWS_ACCESS_KEY_ID" ? read("AWS_SESSION_TOKEN") : undefined;
    return { accessKeyId: required(id), secretAccessKey: required(secret), ...(sessionToken && { sessionToken }) };
  }
}

type KeyName = `${"AWS" | "BACKUP_S3"}_${"ACCESS_KEY_ID" | "SECRET_ACCESS_KEY"}`;

function inBackupsFolder(files: S3Config): S3Config {
  return { ...files, prefix: files.prefix === "" ? "backups" : `${files.prefix}/backups` };
}

const localHosts = ["127.0.0.1", "0.0.0.0", "::1", "::"];

function localUrl(host: string, port: number): string {
  if (localHosts.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Created once, so that sessions survive restarts. */
function loadSecret(dataDir: string): string {
  const file = join(dataDir, "secret");
  const existing = readIfExists(file);
  if (existing !== undefined && existing.length >= minSecretLength) return existing;
  const created = randomBytes(32).toString("hex");
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Atomic: a truncated secret after a crash could be guessed.
    writeFileSync(`${file}.new`, `${created}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new ConfigError(`DATA_DIR can't be written to: ${(error as Error).message}.`);
  }
  return created;
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(`DATA_DIR can't be read: ${(error as Error).message}.`);
  }
}

/** How to run a command of this installation. Services set INKSTEAD_COMMAND to `deploy/inkstead`. */
export function commandLine(command: string, rest = ""): string {
  const program = process.env.INKSTEAD_COMMAND;
  if (program) return [program, command, rest].join(" ").trim();
  return rest ? `npm run ${command} -- ${rest}` : `npm run ${command}`;
}
