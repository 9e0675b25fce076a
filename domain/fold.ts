/** A text as searches compare it: lower case, composed. */
export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
