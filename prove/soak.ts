import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { fullCount } from "#domain/format.ts";
import { type Figure, retentionDays } from "../tests/faults/growth.ts";
import { maxLeftRows, type SoakResult, shortLivedTables, soak } from "../tests/faults/soak.ts";
import { findEngine } from "../tests/postgres/start.ts";
import { writePart } from "./page.ts";

/**
 * `npm run prove -- soak --minutes 10 --days 30 --people 100 --engine postgres`: measures whether the data of a site in use grows. Writes
 * the table into docs/reliability.md; exits with 1 when it does.
 */
const { values } = parseArgs({
  options: { minutes: { type: "string" }, days: { type: "string" }, people: { type: "string" }, engine: { type: "string" } },
});
const engine = await findEngine(values.engine);
const [minutes, days, people] = [Number(values.minutes ?? 10), Number(values.days ?? 30), Number(values.people ?? 100)];
const start = performance.now();
const log = (what: string) => console.error(`${what} (${Math.round((performance.now() - start) / 1000)} s)`);
const result = await soak({ people, days, lastsMs: minutes * 60_000, pauseMs: 3_000 }, engine, log);
const lines = [aboutRun(result), "", "| | middle third | last third | flat | a hundred days later |", "|---|---|---|---|---|"];
lines.push(...result.figures.map((figure) => lineOf(figure, result)));
writePart(`soak on ${engine}`, lines);
console.log(lines.join("\n"));
const growing = result.figures.filter(({ flat }) => flat === false).map(({ name }) => name);
const retained = shortLivedTables.filter((table) => result.later[table] > maxLeftRows);
for (const [request, times] of result.answers.failed) console.error(`${times} × ${request}`);
if (growing.length > 0) console.error(`Grows: ${growing.join(", ")}.`);
if (retained.length > 0) console.error(`Never deleted: ${retained.join(", ")}.`);
process.exit(growing.length + retained.length + result.answers.cut > 0 ? 1 : 0);

function aboutRun({ answers, messages, emails, days }: SoakResult): string {
  return (
    `${engine === "sqlite" ? "SQLite" : "PostgreSQL"}: ${people} people, ${days.toFixed(1)} days in ${minutes} minutes, ${fullCount(answers.answered)} requests answered, ` +
    `${answers.cut} cut, ${answers.failures} answered 503 and sent again; ${fullCount(messages)} messages, each once and in order; ${fullCount(emails)} emails. ` +
    `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, Node ${process.versions.node}.`
  );
}

function lineOf({ name, middle, last, flat }: Figure, { later }: SoakResult): string {
  const table = name.replace("rows in ", "") as keyof typeof later;
  const trend = flat === undefined ? `kept for ${retentionDays[table]} days` : flat ? "yes" : "**no**";
  return `| ${name} | ${round(middle)} | ${round(last)} | ${trend} | ${later[table] ?? ""} |`;
}

function round(number: number): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: 0 });
}
