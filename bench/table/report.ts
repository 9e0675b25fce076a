import { table } from "../measure.ts";
import { type Band, bands } from "./bands.ts";
import type { Rate } from "./rates.ts";

/** A line of the table; `values` are the figures with bands, by their names in bands.ts. */
export type Line = {
  name: string;
  figure: string;
  rate?: Rate;
  bare?: string;
  latency?: [p50: number, p99: number];
  values?: Record<string, number>;
};

export function rateLine(name: string, rate: Rate): Line {
  const { perCore, share, p50, p99 } = rate;
  return { name, figure: `${formatCount(perCore)}/s`, rate, latency: [p50, p99], values: { share, "per CPU-second": perCore, p99 } };
}

export function print(lines: Line[]): void {
  const rows = lines.map((line) => [
    line.name,
    line.figure,
    ...rateCells(line),
    ...latencyCells(line),
    goalsOf(line).map(describe).join(", "),
  ]);
  const head = ["", "per CPU-second", "bare", "share", "per second", "p50", "p99", "limit"];
  console.log(table(head, rows));
}

/** Prints figures outside their bands. @returns their number. */
export function check(lines: Line[]): number {
  const goals = lines.flatMap(goalsOf);
  const missed = goals.filter(({ met }) => !met);
  for (const { key, value, ...band } of missed) console.log(`outside: ${key} is ${formatFigure(value)}, should be ${formatLimit(band)}`);
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
  return `${metric} ${formatLimit(band)}${met ? "" : " ✗"}`;
}

function formatLimit({ atLeast, atMost }: Band): string {
  return atLeast === undefined ? `≤ ${formatFigure(atMost ?? 0)}` : `≥ ${formatFigure(atLeast)}`;
}

function rateCells({ rate, bare = "" }: Line): string[] {
  return rate ? [`${formatCount(rate.barePerCore)}/s`, rate.share.toFixed(3), formatCount(rate.perSecond)] : [bare, "", ""];
}

function latencyCells({ latency }: Line): string[] {
  return latency ? latency.map((milliseconds) => `${milliseconds.toFixed(1)} ms`) : ["", ""];
}

export function formatCount(number: number): string {
  return Math.round(number).toLocaleString("en");
}

export function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000);
}

function formatFigure(number: number): string {
  return number < 10 ? String(Number(number.toFixed(2))) : formatCount(number);
}
