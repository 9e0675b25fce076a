/** A time as the protocol writes it: `2026-01-02T03:04:05.678+00:00`. */
export function isoDate(time: number | string | Date): string {
  return `${new Date(time).toISOString().slice(0, -1)}+00:00`;
}
