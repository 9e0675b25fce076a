import { table } from "../measure.ts";
import { type Band, bands } from "./bands.ts";
import type { Rate } from "./rates.ts";

/** A line of the table; `values` are the figures with bands, by their names in bands.ts. */
export type Line = {
  name: string;
  figure: string;
  rate?: Rate;
  bare?: string;
  late?: [p50: number, p99: number];
  values?: Record<string, number>;
};

export function rateLine(name: string, rate: Rate): Line {
  const { perCore, share, p50, p99 } = rate;
  return { name, figure: `${whole(perCore)}/s`, rate, late: [p50, p99], values: { share, "a second": perCore, p99 } };
}

export function print(lines: Line[]): void {
  const rows = lines.map((line) => [
    line.name,
    line.figure,
    ...rateCells(line),
    ...lateCells(line),
    goalsOf(line).map(describe).join(", "),
  ]);
  const head = ["", "a second of a core", "bare", "share", "a second", "half within", "99 of 100 within", "goal"];
  console.log(table(head, rows));
}

/** Prints figures outside their bands. @returns their number. */
export function check(lines: Line[]): number {
  const goals = lines.flatMap(goalsOf);
  const missed = goals.filter(({ met }) => !met);
  for (const { key, value, ...band } of missed) console.log(`outside: ${key} is ${short(value)}, should be ${limitOf(band)}`);
  const measured = new Set(goals.map(({ key }) => key));
  const absent = Object.keys(bands).filter((key) => !measured.has(key));
  for (const key of absent) console.log(`not measured: ${key}`);
  return missed.length + absent.length;
}

type Goal = Band & { key: string; metric: string; value: number; met: boolean };

function goalsOf({ name, values = {} }: Line): Goal[] {
  return Object.entries(values).flatMap(([metric, value]) => {
    const key = `${name}: ${metric}`;
    const band = bands[key];
    if (!band) return [];
    const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = band;
    return [{ ...band, key, metric, value, met: value >= atLeast && value <= atMost }];
  });
}

function describe({ metric, met, ...band }: Goal): string {
  return `${metric} ${limitOf(band)}${met ? "" : " ✗"}`;
}

function limitOf({ atLeast, atMost }: Band): string {
  return atLeast === undefined ? `≤ ${short(atMost ?? 0)}` : `≥ ${short(atLeast)}`;
}

function rateCells({ rate, bare = "" }: Line): string[] {
  return rate ? [`${whole(rate.barePerCore)}/s`, rate.share.toFixed(3), whole(rate.perSecond)] : [bare, "", ""];
}

function lateCells({ late }: Line): string[] {
  return late ? late.map((milliseconds) => `${milliseconds.toFixed(1)} ms`) : ["", ""];
}

export function whole(number: number): string {
  return Math.round(number).toLocaleString("en");
}

export function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000);
}

function short(number: number): string {
  return number < 10 ? String(Number(number.toFixed(2))) : whole(number);
}
