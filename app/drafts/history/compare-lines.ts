export type Line = { number: number; text: string; differs: boolean };

const maxComparedLines = 1_500;

export function compareLines(mine: string, theirs: string): { mine: Line[]; theirs: Line[] } {
  const [a, b] = [mine.split("\n"), theirs.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const common =
    middleA.length > maxComparedLines || middleB.length > maxComparedLines
      ? { a: new Set<number>(), b: new Set<number>() }
      : commonLines(middleA, middleB);
  const mark = (lines: string[], length: number, same: Set<number>) =>
    lines.map((text, number) => ({ number, text, differs: number >= start && number < start + length && !same.has(number - start) }));
  return { mine: mark(a, middleA.length, common.a), theirs: mark(b, middleB.length, common.b) };
}

function commonLines(a: string[], b: string[]): { a: Set<number>; b: Set<number> } {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const common = { a: new Set<number>(), b: new Set<number>() };
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      common.a.add(i++);
      common.b.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return common;
}
