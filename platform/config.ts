import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

/** What an operator chose through the environment; read once, at start. */
export type Config = {
  host: string;
  port: number;
  /** Where people reach the site, without a slash at the end. */
  siteUrl: string;
  /** Mail without a server, files without FILES_URL, and the database without DATABASE_URL. */
  dataDir: string;
  /** PostgreSQL's address; absent: SQLite in the data folder. */
  databaseUrl: string | undefined;
  /** To PostgreSQL, at most, from this process. */
  databaseConnections: number;
  /** Absent: each mail is written to the data folder. */
  smtpUrl: string | undefined;
  /** Lower case. */
  adminEmails: string[];
  secret: string;
};

/** The environment holds something this program can't run with; the message names the variable. */
export class ConfigError extends Error {}

/** Their values stay off the console. */
const confidential = ["SECRET", "SMTP_URL", "DATABASE_URL", "FILES_URL"];

const secretLength = 32;
const url = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join("|")})$`),
    error: `must be a complete address that begins with ${protocols.map((protocol) => `${protocol}://`).join(" or ")}`,
  });
const addresses = (text: string) =>
  text
    .split(",")
    .map((address) => address.trim().toLowerCase())
    .filter(Boolean);

const variables = {
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(0, "must be at least 0")
    .max(65535, "must be at most 65535")
    .default(3000),
  SITE_URL: url("https", "http")
    .regex(/^[^/]+\/\/[^/?#]+\/*$/, "must end after the host or port: the site needs an address to itself")
    .optional(),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: url("postgres", "postgresql").optional(),
  DATABASE_CONNECTIONS: z.coerce.number("must be a number").int("must be a whole number").min(2, "must be at least 2").default(10),
  FILES_URL: z.undefined({ error: "is not supported yet; leave it out and the data folder is used" }),
  SMTP_URL: url("smtp", "smtps").optional(),
  ADMIN_EMAILS: z
    .string()
    .default("")
    .transform(addresses)
    .pipe(z.array(z.email("must hold addresses parted by commas"))),
  SECRET: z.string().min(secretLength, `must be at least ${secretLength} characters long`).optional(),
};

/**
 * Reads and checks every variable.
 * @throws ConfigError naming the first variable that can't be used.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const read = <Name extends keyof typeof variables>(name: Name): z.output<(typeof variables)[Name]> => {
    const given = environment[name]?.trim() || undefined;
    const result = variables[name].safeParse(given);
    if (result.success) return result.data as z.output<(typeof variables)[Name]>;
    const value = confidential.includes(name) ? "" : ` (it is ${JSON.stringify(given)})`;
    throw new ConfigError(`${name} ${result.error.issues[0]?.message ?? "can't be used"}${value}.`);
  };
  read("FILES_URL");
  const host = read("HOST");
  const port = read("PORT");
  const dataDir = resolve(read("DATA_DIR"));
  const databaseUrl = read("DATABASE_URL");
  const secret = read("SECRET");
  if (databaseUrl !== undefined && secret === undefined)
    throw new ConfigError("SECRET must be set when DATABASE_URL is: every process on that database has to sign with the same one.");
  return {
    host,
    port,
    siteUrl: (read("SITE_URL") ?? localUrl(host, port)).replace(/\/+$/, ""),
    dataDir,
    databaseUrl,
    databaseConnections: read("DATABASE_CONNECTIONS"),
    smtpUrl: read("SMTP_URL"),
    adminEmails: read("ADMIN_EMAILS"),
    secret: secret ?? keptSecret(dataDir),
  };
}

const thisMachine = ["127.0.0.1", "0.0.0.0", "::1", "::"];

function localUrl(host: string, port: number): string {
  if (thisMachine.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Made once and kept beside the data, so that restarts keep people signed in. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, "secret");
  const kept = readKept(file);
  if (kept !== undefined && kept.length >= secretLength) return kept;
  const made = randomBytes(32).toString("hex");
  try {
    mkdirSync(dataDir, { recursive: true });
    // Written beside and renamed: a crash must not leave a short secret, with which anybody could sign cookies.
    writeFileSync(`${file}.new`, `${made}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new ConfigError(`DATA_DIR can't be written to: ${(error as Error).message}.`);
  }
  return made;
}

function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(`DATA_DIR can't be read: ${(error as Error).message}.`);
  }
}
