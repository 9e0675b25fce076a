import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

/** What an operator chose through the environment; read once, at start. */
export type Config = {
  host: string;
  port: number;
  /** Where people reach the site, without a slash at the end. */
  siteUrl: string;
  dataDir: string;
  /** Absent: each mail is written to the data folder. */
  smtpUrl: string | undefined;
  /** Lower case. */
  adminEmails: string[];
  secret: string;
};

/** The environment holds something this program can't run with; the message names the variable. */
export class ConfigError extends Error {}

const url = (protocols: RegExp) => z.url({ protocol: protocols, error: "must be a complete address" });
const addresses = (text: string) =>
  text
    .split(",")
    .map((address) => address.trim().toLowerCase())
    .filter(Boolean);

const variables = {
  HOST: z.string().default("127.0.0.1"),
  PORT: z.coerce.number({ error: "must be a number" }).int("must be a whole number").min(0).max(65535).default(3000),
  SITE_URL: url(/^https?$/).optional(),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: z.undefined({ error: "is not supported yet; leave it out and the data folder is used" }),
  FILES_URL: z.undefined({ error: "is not supported yet; leave it out and the data folder is used" }),
  SMTP_URL: url(/^smtps?$/).optional(),
  ADMIN_EMAILS: z
    .string()
    .default("")
    .transform(addresses)
    .pipe(z.array(z.email("must hold addresses parted by commas"))),
  SECRET: z.string().min(32, "must be at least 32 characters long").optional(),
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
    throw new ConfigError(`${name} ${result.error.issues[0]?.message ?? "can't be used"} (it is ${JSON.stringify(given)}).`);
  };
  read("DATABASE_URL");
  read("FILES_URL");
  const host = read("HOST");
  const port = read("PORT");
  const dataDir = resolve(read("DATA_DIR"));
  return {
    host,
    port,
    siteUrl: (read("SITE_URL") ?? `http://${host === "127.0.0.1" || host === "0.0.0.0" ? "localhost" : host}:${port}`).replace(/\/+$/, ""),
    dataDir,
    smtpUrl: read("SMTP_URL"),
    adminEmails: read("ADMIN_EMAILS"),
    secret: read("SECRET") ?? keptSecret(dataDir),
  };
}

/** Made once and kept beside the data, so that restarts keep people signed in. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, "secret");
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw new ConfigError(`DATA_DIR can't be read: ${(error as Error).message}.`);
  }
  try {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST")
      throw new ConfigError(`DATA_DIR can't be written to: ${(error as Error).message}.`);
  }
  return readFileSync(file, "utf8").trim();
}
