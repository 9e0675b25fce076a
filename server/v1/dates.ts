export function isoDate(time: number | string | Date): string {
  return `${new Date(time).toISOString().slice(0, -1)}+00:00`;
}
