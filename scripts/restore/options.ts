import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Config, readConfig } from "#platform/config.ts";

export type RestoreOptions = { file: string; config: Config; overwrite: boolean };

/** It can't be done as asked, or not now; the message is for the operator. */
export class RestoreError extends Error {}

export const usage = `Usage:
  npm run restore -- FILE [--overwrite]

  FILE         a backup, made by npm run backup or by the site itself
  --overwrite  replaces an existing site; without it, only an empty target is filled

It restores to the database and file store in DATA_DIR, DATABASE_URL and FILES_URL, on either engine.`;

/** @throws RestoreError or ConfigError that names what can't be used. */
export function readOptions(args: string[], environment: Record<string, string | undefined>): RestoreOptions {
  const { file, overwrite } = parse(args);
  const path = resolve(file);
  if (!existsSync(path)) throw new RestoreError(`There is no file ${file}.`);
  return { file: path, config: readConfig(environment), overwrite };
}

function parse(args: string[]): { file: string; overwrite: boolean } {
  try {
    const { values, positionals } = parseArgs({ args, options: { overwrite: { type: "boolean" } }, allowPositionals: true });
    const [file, ...more] = positionals;
    if (!file || more.length > 0) throw new Error("Name one backup file.");
    return { file, overwrite: values.overwrite ?? false };
  } catch (error) {
    throw new RestoreError(`${(error as Error).message}\n\n${usage}`);
  }
}
