import { join } from "node:path";
import { expect, test } from "vitest";
import { readProject } from "./tidy/source.ts";

// Vitest loads components, so tests don't notice a command that Node can't start.
test("commands, proofs and benchmarks import no components, which Node can't run", () => {
  const sources = new Map(readProject(join(import.meta.dirname, "..")).map((source) => [source.path, source]));
  const entries = [...sources.keys()].filter((path) => /^(scripts|prove|bench)\//.test(path) && !path.endsWith(".test.ts"));
  const reached = new Map(entries.map((path) => [path, path]));
  for (const [path, way] of reached)
    for (const { target, typeOnly, dynamic } of sources.get(path)?.imports ?? [])
      if (target && !typeOnly && !dynamic && !reached.has(target)) reached.set(target, `${way} → ${target}`);
  expect(reached.size).toBeGreaterThan(entries.length);
  expect([...reached].filter(([path]) => path.endsWith(".tsx")).map(([, way]) => way)).toEqual([]);
});
