export type Range = { start: number; end: number };

/** RFC 9110, section 14. Undefined: the whole file, also for several or invalid ranges. */
export function parseRange(header: string | null, size: number): Range | "unsatisfiable" | undefined {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || size === 0) return undefined;
  if (first === "") return last === "" ? undefined : lastBytes(Number(last), size);
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

function lastBytes(count: number, size: number): Range | "unsatisfiable" {
  return count === 0 ? "unsatisfiable" : { start: Math.max(0, size - count), end: size - 1 };
}

export function matchesEtag(header: string | null, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags?.some((tag) => tag === etag || tag === "*") ?? false;
}
