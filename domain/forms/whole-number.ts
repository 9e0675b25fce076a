/** The whole number that a field or an address names, no larger than a column for numbers takes; undefined for anything else. */
export function wholeNumber(text: unknown, most = 2 ** 31 - 1): number | undefined {
  const number = typeof text === "string" && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  return number !== undefined && number <= most ? number : undefined;
}
