/** Reads a whole number from a field or an address. The default maximum is that of an integer column. */
export function wholeNumber(text: unknown, most = 2 ** 31 - 1): number | undefined {
  const number = typeof text === "string" && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  return number !== undefined && number <= most ? number : undefined;
}
