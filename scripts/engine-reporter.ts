import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { EngineReport } from "./count-results.ts";

/** Writes counts by project, which is the database engine, and the failed tests to the file in `ENGINE_REPORT`. */
export default class EngineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const report: EngineReport = { counts: {}, failures: [] };
    for (const module of modules) {
      report.counts[module.project.name] ??= { passed: 0, failed: 0 };
      const count = report.counts[module.project.name] as EngineReport["counts"][string];
      for (const test of module.children.allTests()) {
        const passed = test.result().state === "passed";
        count[passed ? "passed" : "failed"]++;
        if (!passed) report.failures.push(describeFailure(test));
      }
    }
    if (process.env.ENGINE_REPORT) writeFileSync(process.env.ENGINE_REPORT, JSON.stringify(report));
  }
}

function describeFailure(test: TestCase): string {
  const reason = test.result().errors?.[0]?.message.split("\n", 1)[0] ?? test.result().state;
  return `[${test.project.name}] ${test.module.relativeModuleId} › ${test.fullName}: ${reason}`;
}
