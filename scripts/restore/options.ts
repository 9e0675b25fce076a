import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Config, commandLine, readConfig } from "#platform/config.ts";
import { snapshotFolder } from "./leftovers.ts";

/** `discard` restores the data folder's state. */
export type RestoreOptions = { file: string; identity: string | undefined; config: Config; overwrite: boolean; discard: () => void };

/** A restore that can't be done as requested; the message is for the operator. */
export class RestoreError extends Error {}

export const usage = `Usage:
  ${commandLine("restore", "FILE [--identity KEY] [--overwrite]")}
  ${commandLine("restore", "--list")}

  FILE         a backup, made by ${commandLine("backup")} or by the site itself; s3:NAME for an off-site one
  --identity   the file with the private key, for an encrypted backup
  --overwrite  replaces an existing site; without it, only an empty target is filled
  --list       lists the backups on this machine and off-site

It restores to the database and file store in DATA_DIR, DATABASE_URL and FILES_URL, on either engine.`;

/** @returns the absolute path, which messages need: `deploy/inkstead` changes the folder and the user. @throws RestoreError */
export function requireReadable(file: string): string {
  const path = resolve(file);
  try {
    accessSync(path, constants.R_OK);
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new RestoreError(`There is no file ${path}.`);
    throw new RestoreError(
      `This account can't read ${path} (${code}). Copy it to where it can, for example: ` +
        `sudo install -o inkstead -m 600 ${path} /var/lib/inkstead/`,
    );
  }
}

/** @throws RestoreError, ConfigError naming the wrong option. */
export function readOptions(args: string[], environment: Record<string, string | undefined>): RestoreOptions {
  const { file, identity, overwrite } = parse(args);
  const isFetched = file.startsWith("s3:");
  if (!isFetched) requireReadable(file);
  // Before the configuration is read, which creates a missing secret.
  const discard = snapshotFolder(resolve(environment.DATA_DIR || "./data"));
  return { file: isFetched ? file : resolve(file), identity, config: readConfig(environment), overwrite, discard };
}

function parse(args: string[]): Pick<RestoreOptions, "file" | "identity" | "overwrite"> {
  try {
    const options = { overwrite: { type: "boolean" }, identity: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [file, ...more] = positionals;
    if (!file || more.length > 0) throw new Error("Name one backup file.");
    return { file, identity: values.identity, overwrite: values.overwrite ?? false };
  } catch (error) {
    throw new RestoreError(`${(error as Error).message}\n\n${usage}`);
  }
}
