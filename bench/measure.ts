/** A way to do the measured work. */
export type WriteCase = { write(worker: number): Promise<unknown> };

/** Calls of `write` per second at this concurrency, after a warm-up of a fifth of the time. */
export async function perSecond(writeCase: WriteCase, concurrency: number, milliseconds: number): Promise<number> {
  const from = performance.now() + milliseconds / 5;
  const until = from + milliseconds;
  let done = 0;
  const work = async (worker: number) => {
    while (performance.now() < until) {
      await writeCase.write(worker);
      const now = performance.now();
      if (now > from && now <= until) done++;
      // Lets timers run even if the write never waits.
      if (done % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)));
  return done / (milliseconds / 1000);
}

/** Milliseconds until the whole response has arrived. @throws Error unless it is a success with a body. */
export async function timeOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const start = performance.now();
  const response = await fetch(url, { headers });
  const { byteLength } = await response.arrayBuffer();
  if (!response.ok || byteLength === 0) throw new Error(`${url} returned ${response.status}`);
  return performance.now() - start;
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}
