import { join } from "node:path";
import { expect, test } from "vitest";
import { readProject } from "./tidy/source.ts";

// Vitest loads components, so a proof that can't start would go unnoticed.
test("commands, proofs and benchmarks load no components, which Node can't run", () => {
  const sources = new Map(readProject(join(import.meta.dirname, "..")).map((source) => [source.path, source]));
  const starts = [...sources.keys()].filter((path) => /^(scripts|prove|bench)\//.test(path) && !path.endsWith(".test.ts"));
  const reached = new Map(starts.map((path) => [path, path]));
  for (const [path, way] of reached)
    for (const { target, typeOnly, dynamic } of sources.get(path)?.imports ?? [])
      if (target && !typeOnly && !dynamic && !reached.has(target)) reached.set(target, `${way} → ${target}`);
  expect(reached.size).toBeGreaterThan(starts.length);
  expect([...reached].filter(([path]) => path.endsWith(".tsx")).map(([, way]) => way)).toEqual([]);
});
