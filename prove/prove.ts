import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { findPostgres } from "../tests/postgres/start.ts";
import { readPart, writePart } from "./page.ts";
import { type Row, rows } from "./rows.ts";

/**
 * `npm run prove -- --kills 500 --seconds 60 --only kills`: causes every fault that a running site must survive, prints a table and writes
 * it into docs/reliability.md. Exits with 1 after any loss.
 */
const { values } = parseArgs({ options: { kills: { type: "string" }, seconds: { type: "string" }, only: { type: "string" } } });
const amount = { kills: Number(values.kills ?? 500), seconds: Number(values.seconds ?? 60) };
const chosen = rows.filter(({ name }) => values.only === undefined || values.only === name);
if (chosen.length === 0)
  throw new Error(`There is no row ${values.only}; there are ${[...new Set(rows.map(({ name }) => name))].join(", ")}.`);

const part = "figures";
const head = ["| fault | on | tried | visible effect | kept | lost | recovery | date |", "|---|---|---|---|---|---|---|---|"];
const today = new Date().toISOString().slice(0, 10);

await findPostgres();
let failed = false;
for (const row of chosen) {
  const line = await runRow(row);
  if (line === undefined) console.error(`${rowPrefix(row)}: can't be tried on this machine.`);
  else saveLine(row, line);
}
console.log(readPart(part).join("\n"));
process.exit(failed ? 1 : 0);

async function runRow(row: Row): Promise<string | undefined> {
  const start = performance.now();
  const log = (what: string) => console.error(`${rowPrefix(row)}: ${what} (${Math.round((performance.now() - start) / 1000)} s)`);
  const line = (tried: string, kept: string, lost: string) =>
    `${rowPrefix(row)} | ${tried} | ${row.seen} | ${kept} | ${lost} | ${row.recovers} | ${today} |`;
  try {
    const result = await row.run(amount, log);
    if (!result) return undefined;
    log(`${result.tried}; ${result.kept}`);
    return line(result.tried, result.kept, "0");
  } catch (error) {
    failed = true;
    console.error(error);
    return line("", "", `**failed**: ${(error as Error).message.replaceAll(/\s+/g, " ").replaceAll("|", "/").slice(0, 200)}`);
  }
}

function rowPrefix({ fault, on }: Row): string {
  return `| ${fault} | ${on}`;
}

/** Written after each row, because later ones may take hours. Rows that did not run keep their old lines. */
function saveLine(row: Row, line: string): void {
  const lines = readPart(part).slice(head.length + 2);
  const all = rows.flatMap((each) => (each === row ? [line] : lines.filter((old) => old.startsWith(`${rowPrefix(each)} |`))));
  const note = `Runs differ, because faults come at random moments. Last run on ${today}, ${availableParallelism()} cores, Node ${process.versions.node}.`;
  writePart(part, [note, "", ...head, ...all]);
}
