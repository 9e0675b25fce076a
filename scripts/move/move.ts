import { existsSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "#platform/database/migrate.ts";
import { openFiles } from "#platform/files/open.ts";
import { Bar, type Console, count, counted } from "./bar.ts";
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
      return await moveBetween({ source, target, bar: new Bar(console), signal }, options);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

async function moveBetween(copying: CopyContext, options: MoveOptions): Promise<boolean> {
  const { source, target, bar } = copying;
  await prepare(source, target, options);
  const tables = await matchTables(source, target);
  bar.line("Copying");
  for (const table of tables) await copyTable(copying, table);
  const store = options.files === "s3" ? await openFiles(options.target) : undefined;
  try {
    const root = join(options.from, "files");
    if (store) await copyFiles(copying, root, store);
    await target.resetSequences(tables);
    await target.analyze();

    bar.line("Comparing");
    const different = await compareTables(copying, tables);
    const files = store ? await listFiles(root) : [];
    const differentFiles = store ? await compareFiles(copying, files, store) : [];
    bar.line(filesLine(options, files.length, differentFiles));
    if (different.length + differentFiles.length === 0) {
      await target.finish();
      bar.line(instructions(options));
      bar.line(`Everything matches: ${counted(tables.length, "table")}${store ? `, ${counted(files.length, "file")}` : ""}.`);
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
  const fingerprint = source.fingerprint();
  const unfinished = await target.unfinished();
  if (unfinished !== undefined && unfinished !== fingerprint && !restart)
    throw new MoveError("The site has changed since the move began, or another site was being moved here. Start over with --restart.");
  if (unfinished === undefined || restart) await makeReady(target, config, unfinished !== undefined);
  const [here, there] = [source.migrations().join(), (await target.migrations()).join()];
  if (here !== there)
    throw new MoveError("The site's database was made by another version. Start the site once with this version, stop it, and move then.");
  if ((await target.unfinished()) === undefined) await target.begin(fingerprint);
}

async function makeReady(target: Target, config: MoveOptions["target"], ours: boolean): Promise<void> {
  const names = await target.tableNames();
  const isNew = !names.includes("migrations");
  if (isNew && names.length > 0)
    throw new MoveError(
      `DATABASE_URL, or --to, contains the tables of something else (${names.slice(0, 5).join(", ")}). It must be empty.`,
    );
  const filled = ours ? [] : await target.filled();
  if (!isNew && filled.length > 0)
    throw new MoveError(`DATABASE_URL, or --to, already contains a site: there are rows in ${filled.join(", ")}. It must be empty.`);
  await migrate(config);
  // The source has the rows that migrations inserted, perhaps changed.
  if (isNew || ours) await target.empty();
}

async function compareTables(copying: CopyContext, tables: MovedTable[]): Promise<string[]> {
  const different: string[] = [];
  for (const table of tables) if (!(await compareTable(copying, table))) different.push(table.name);
  return different;
}

function filesLine({ files, from }: MoveOptions, total: number, different: string[]): string {
  if (files === "disk") return `  ${"files on disk".padEnd(16)} stay in ${join(from, "files")}`;
  const some = different.slice(0, 5).join(", ");
  return `  ${"files on disk".padEnd(16)} ${count(total)}, ${different.length === 0 ? "of the same sizes in the bucket" : `DIFFERENT or missing in the bucket: ${some}`}`;
}

function instructions({ from, files }: MoveOptions): string {
  const kept = join(from, "secret");
  const secret = existsSync(kept) ? `"$(cat ${kept})"` : "what it has been";
  return `
Start the site with
  DATABASE_URL  what --to was${files === "s3" ? "\n  FILES_URL     what --files was, with its keys" : `\n  DATA_DIR      ${from}, where the files are`}
  SECRET        ${secret}
The same secret keeps people signed in and links in their emails working.
`;
}
