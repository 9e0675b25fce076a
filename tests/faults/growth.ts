import { readdirSync, readFileSync } from "node:fs";
import type { Site } from "#domain/site.ts";
import type { ProcessUsage } from "./fast-clock.ts";

/** A measurement; time in milliseconds of the real clock. */
export type Sample = { at: number; counts: Record<string, number> };

/** Medians of the middle and last third; without `flat` where rows are kept for the whole run. */
export type Figure = { name: string; middle: number; last: number; flat?: boolean };

/** Retention of a table's rows in days; 0 where they are removed once they are used. */
export const retentionDays = {
  ...{ events: 1, attempts: 30, views: 1, verifications: 1, outbox: 7, uptime: 7, sessions: 30, subscribers: 30, notifications: 90 },
  finished_drafts: 90,
  ...{ working_copies: 0, files: 0, story_emails: 0, pushes: 0, picture_queue: 0, jobs: 0, faults: 0 },
} as const;
export type TransientTable = keyof typeof retentionDays;
export const transientTables = Object.keys(retentionDays) as TransientTable[];
const rowsIn = (table: string) => `rows in ${table}`;

const megabyte = 1024 * 1024;
/** A third may exceed the one before by a tenth plus this: caches fill up and the number of visitors varies. */
const tolerance: Record<string, number> = { "resident memory, MB": 8, "heap, MB": 3 };
const defaultTolerance = 15;

export function compareThirds(samples: Sample[], { from, to, days }: { from: number; to: number; days: number }): Figure[] {
  const third = (to - from) / 3;
  const names = [...new Set(samples.flatMap(({ counts }) => Object.keys(counts)))];
  const requiredDays = new Map(transientTables.map((table) => [rowsIn(table), retentionDays[table] * 3]));
  return names.map((name) => {
    const medianBetween = (begin: number, end: number) =>
      median(samples.filter(({ at, counts }) => at >= begin && at <= end && name in counts).map(({ counts }) => counts[name] ?? 0));
    const [middle, last] = [medianBetween(from + third, to - third), medianBetween(to - third, to)];
    const figure = { name, middle, last };
    if ((requiredDays.get(name) ?? 0) > days) return figure;
    return { ...figure, flat: last <= middle * 1.1 + (tolerance[name] ?? defaultTolerance) };
  });
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

export async function countRows({ db }: Site): Promise<Record<TransientTable, number>> {
  const counts = transientTables.map(async (table) => {
    const { rows } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as("rows"))
      .executeTakeFirstOrThrow();
    return [table, Number(rows)] as const;
  });
  return Object.fromEntries(await Promise.all(counts)) as Record<TransientTable, number>;
}

export async function sampleSite(site: Site, dataDir: string): Promise<Sample> {
  const rows = Object.entries(await countRows(site)).map(([table, count]) => [rowsIn(table), count]);
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  return { at: Date.now(), counts: { ...Object.fromEntries(rows), "files in the data folder": files } };
}

/** Reads the file of fast-clock.ts. */
export function readUsage(file: string): Sample[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => {
    const { at, resident, heap, openFiles, handles, repeating } = JSON.parse(line) as ProcessUsage;
    const memory = { "resident memory, MB": resident / megabyte, "heap, MB": heap / megabyte };
    return { at, counts: { ...memory, "open files and sockets": openFiles, "active handles": handles, "repeating timers": repeating } };
  });
}
