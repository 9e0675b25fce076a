import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Config, ConfigError, readConfig } from "#platform/config.ts";

/**
 * Source and target of a move; `target` is the configuration that the site will run with. Files are copied to a bucket, or stay on disk or
 * in the bucket of FILES_URL.
 */
export type MoveOptions = { from: string; target: Config; files: "copied" | "on disk" | "in bucket"; restart: boolean };

/** A move that can't be done as requested; the message is for the operator. */
export class MoveError extends Error {}

export const usage = `Usage:
  DATABASE_URL=postgres://user:password@host/database npm run move-to-postgres -- --from ./data [--files s3://bucket?…] [--restart]

  --from     the data folder of a site on SQLite that is not running
  --to       an empty PostgreSQL database, if DATABASE_URL doesn't name it: other accounts of the machine can read a password
             in a command, and the shell's history keeps it
  --files    a bucket for the files, with its keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; without it they stay in place
  --restart  discards what an interrupted move has copied and starts over`;

/** @throws MoveError naming the wrong option. */
export function readOptions(args: string[], environment: Record<string, string | undefined>): MoveOptions {
  const { from, to, files, restart } = parse(args, environment.DATABASE_URL?.trim() ?? "");
  const folder = resolve(from);
  if (!existsSync(join(folder, "inkstead.db")))
    throw new MoveError(`--from ${from} is not the data folder of a site on SQLite: there is no inkstead.db in it.`);
  const target = readTarget(folder, { ...environment, DATABASE_URL: to, FILES_URL: files });
  return { from: folder, target, files: files ? "copied" : environment.FILES_URL?.trim() ? "in bucket" : "on disk", restart };
}

function parse(args: string[], database: string) {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({ args, options: { from: text, to: text, files: text, restart: { type: "boolean" } } });
    const { from = "", to = database, files, restart = false } = values;
    if (from === "" || to === "") throw new Error(`${from === "" ? "--from" : "DATABASE_URL, or --to,"} is missing.`);
    if (files === "") throw new Error("--files is empty.");
    return { from, to, files, restart };
  } catch (error) {
    throw new MoveError(`${(error as Error).message}\n\n${usage}`);
  }
}

/** Validated as at the site's start, except for the secret and off-site backups, which a move doesn't use. */
function readTarget(from: string, environment: Record<string, string | undefined>): Config {
  try {
    return readConfig({ ...environment, DATA_DIR: from, SECRET: "-".repeat(32), BACKUP_RECIPIENT: "", BACKUP_S3_URL: "" });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new MoveError(withOptions(error.message));
  }
}

/** Messages name the variables of the site. */
export function withOptions(message: string): string {
  return message.replace("DATABASE_URL", "DATABASE_URL, or --to,").replace("FILES_URL", "--files");
}
