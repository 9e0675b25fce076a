import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import type { Count } from "./count-results.ts";

/** Counts Vitest's tests by project, that is by database engine, into the file that `ENGINE_REPORT` names. */
export default class EngineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts: Record<string, Count> = {};
    for (const module of modules) {
      counts[module.project.name] ??= { passed: 0, failed: 0 };
      const count = counts[module.project.name] as Count;
      for (const test of module.children.allTests()) count[test.result().state === "passed" ? "passed" : "failed"]++;
    }
    if (process.env.ENGINE_REPORT) writeFileSync(process.env.ENGINE_REPORT, JSON.stringify(counts));
  }
}
