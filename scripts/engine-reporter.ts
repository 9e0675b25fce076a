import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { Count, Report } from "./count-results.ts";

/** Writes a `Report`, in which skipped tests count as failed, to the file in `ENGINE_REPORT`. */
export default class EngineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const report: Report = { counts: {}, failures: [] };
    for (const module of modules) {
      report.counts[module.project.name] ??= { passed: 0, failed: 0 };
      const count = report.counts[module.project.name] as Count;
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const passed = test.result().state === "passed";
        count[passed ? "passed" : "failed"]++;
        if (!passed) report.failures.push(describeFailure(test));
      }
      if (tests.length > 0 || module.state() !== "failed") continue;
      count.failed++;
      report.failures.push(`[${module.project.name}] ${module.relativeModuleId} failed before its first test`);
    }
    if (process.env.ENGINE_REPORT) writeFileSync(process.env.ENGINE_REPORT, JSON.stringify(report));
  }
}

function describeFailure(test: TestCase): string {
  const reason = test.result().errors?.[0]?.message.split("\n", 1)[0] ?? test.result().state;
  return `[${test.project.name}] ${test.module.relativeModuleId} › ${test.fullName}: ${reason}`;
}
