import { existsSync } from "node:fs";
import { join } from "node:path";
import { fullCount } from "#domain/format.ts";
import { migrate, migrationNames } from "#platform/database/migrate.ts";
import { openFiles } from "#platform/files/open.ts";
import { checkStore } from "../check-store.ts";
import { type Console, countText, ProgressBar } from "../progress-bar.ts";
import { compareTable } from "./compare-tables.ts";
import { compareFiles, copyFiles, listFiles } from "./copy-files.ts";
import { type CopyContext, copyTable, type MovedTable, matchTables } from "./copy-tables.ts";
import { MoveError, type MoveOptions } from "./options.ts";
import { Source } from "./source.ts";
import { Target } from "./target.ts";

/**
 * Copies a site from SQLite to PostgreSQL, and its files on request, then compares both. @returns whether they are equal.
 * @throws MoveError when it can't be done as requested or was interrupted; the next call resumes it.
 */
export async function move(options: MoveOptions, console: Console, signal: AbortSignal): Promise<boolean> {
  const source = new Source(options.from);
  try {
    const target = await Target.open(options.target.databaseUrl as string);
    try {
      return await runMove({ source, target, bar: new ProgressBar(console), signal }, options);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

async function runMove(context: CopyContext, options: MoveOptions): Promise<boolean> {
  const { source, target, bar } = context;
  if (options.files === "copied") await checkStore(options.target);
  await prepare(source, target, options);
  const tables = await matchTables(source, target);
  bar.line("Copying");
  for (const table of tables) await copyTable(context, table);
  const store = options.files === "copied" ? await openFiles(options.target) : undefined;
  try {
    const root = join(options.from, "files");
    if (store) await copyFiles(context, root, store);
    await target.resetSequences(tables);
    await target.analyze();

    bar.line("Comparing");
    const different = await compareTables(context, tables);
    const files = store ? await listFiles(root) : [];
    const differentFiles = store ? await compareFiles(context, files, store) : [];
    bar.line(filesLine(options, files.length, differentFiles));
    if (different.length + differentFiles.length === 0) {
      await target.finish();
      bar.line(instructions(options));
      bar.line(`Everything matches: ${countText(tables.length, "table")}${store ? `, ${countText(files.length, "file")}` : ""}.`);
      return true;
    }
    bar.line(
      `NOT everything matches: ${[...different, ...(differentFiles.length > 0 ? ["files"] : [])].join(", ")}. Start over with --restart.`,
    );
    return false;
  } finally {
    await store?.close();
  }
}

/** Prepares the target for a new or resumed copy. */
async function prepare(source: Source, target: Target, { target: config, restart }: MoveOptions): Promise<void> {
  if (source.migrations().join() !== migrationNames.join())
    throw new MoveError("Another version created the site's database. Start the site once with this version, stop it, and then move it.");
  await target.refuseRunningSite();
  const fingerprint = source.fingerprint();
  const unfinished = await target.unfinished();
  if (unfinished !== undefined && unfinished !== fingerprint && !restart)
    throw new MoveError("The site has changed since the move began, or another site was being moved here. Start over with --restart.");
  if (unfinished === undefined || restart) await prepareTarget(target, config, unfinished !== undefined);
  if ((await target.unfinished()) === undefined) await target.begin(fingerprint);
  // From now on no site starts there, but one may just have.
  await target.refuseRunningSite();
}

async function prepareTarget(target: Target, config: MoveOptions["target"], isUnfinished: boolean): Promise<void> {
  const names = await target.tableNames();
  const isNew = !names.includes("migrations");
  if (isNew && names.length > 0)
    throw new MoveError(`DATABASE_URL, or --to, contains other tables (${names.slice(0, 5).join(", ")}). It must be empty.`);
  const nonEmpty = isUnfinished ? [] : await target.nonEmptyTables();
  if (!isNew && nonEmpty.length > 0)
    throw new MoveError(
      `DATABASE_URL, or --to, already contains a site: there are rows in ${nonEmpty.join(", ")}. It must be empty. ` +
        `${await target.newDatabaseCommands()}\nThen move again.`,
    );
  // First, because an unfinished move can't be migrated.
  if (isUnfinished) await target.empty();
  await migrate(config);
  // The rows that migrations insert come from the source.
  if (isNew || isUnfinished) await target.empty();
}

async function compareTables(context: CopyContext, tables: MovedTable[]): Promise<string[]> {
  const different: string[] = [];
  for (const table of tables) if (!(await compareTable(context, table))) different.push(table.name);
  return different;
}

function filesLine({ files, from }: MoveOptions, total: number, different: string[]): string {
  if (files === "in bucket") return `  ${"files".padEnd(16)} stay in the bucket of FILES_URL`;
  if (files === "on disk") return `  ${"files on disk".padEnd(16)} stay in ${join(from, "files")}`;
  const some = different.slice(0, 5).join(", ");
  return `  ${"files on disk".padEnd(16)} ${fullCount(total)}, ${different.length === 0 ? "of the same sizes in the bucket" : `DIFFERENT or missing in the bucket: ${some}`}`;
}

function instructions({ from, files }: MoveOptions): string {
  const secretFile = join(from, "secret");
  const secret = existsSync(secretFile) ? `"$(cat ${secretFile})"` : "the current one";
  const place = {
    copied: "FILES_URL     the value of --files, with its keys",
    "in bucket": "FILES_URL     as before, with its keys",
    "on disk": `DATA_DIR      ${from}, where the files are`,
  }[files];
  return `
Start the site with
  DATABASE_URL  the address you moved to
  ${place}
  SECRET        ${secret}
The same secret keeps people signed in and links in their emails working.
`;
}
