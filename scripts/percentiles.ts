/** `share` is from 0 to 1. */
export function quantile(measured: number[], share: number): number {
  const sorted = measured.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function describe(measured: number[]): string {
  const at = (share: number) => `${Math.round(quantile(measured, share))} ms`;
  return `${measured.length} times, half within ${at(0.5)}, 99 of 100 within ${at(0.99)}, the slowest ${at(1)}`;
}
