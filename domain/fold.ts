export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
