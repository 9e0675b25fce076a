import { readFileSync, writeFileSync } from "node:fs";

const page = new URL("../docs/reliability.md", import.meta.url);
const marksOf = (part: string) => [`<!-- ${part} -->`, `<!-- end of ${part} -->`] as const;

/** The lines of a part of docs/reliability.md, between its comment marks. */
export function readPart(part: string): string[] {
  const text = readFileSync(page, "utf8");
  const [begin, end] = marksOf(part);
  return text
    .slice(text.indexOf(begin) + begin.length, text.indexOf(end))
    .trim()
    .split("\n");
}

export function writePart(part: string, lines: string[]): void {
  const text = readFileSync(page, "utf8");
  const [begin, end] = marksOf(part);
  const [before, after] = [text.slice(0, text.indexOf(begin) + begin.length), text.slice(text.indexOf(end))];
  writeFileSync(page, `${before}\n${lines.join("\n")}\n${after}`);
}
