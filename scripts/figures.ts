/** A quantile of milliseconds; `share` is from 0 to 1. */
export function part(measured: number[], of: number): number {
  const sorted = measured.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? Number.NaN;
}

export function describe(measured: number[]): string {
  const at = (of: number) => `${Math.round(part(measured, of))} ms`;
  return `${measured.length} times, half within ${at(0.5)}, 99 of 100 within ${at(0.99)}, the slowest ${at(1)}`;
}
