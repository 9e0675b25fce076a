import { describe, expect, test } from "vitest";
import { countPlaywright, countPlaywrightByProject, countRunner, countVitest, describeEngines, describePhases } from "./count-results.ts";

const unitTests = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 0, testResults: [{ status: "passed", assertionResults: [{}] }] };
const stats = { expected: 4, unexpected: 0, flaky: 0, skipped: 0 };

describe("the sum of reports", () => {
  test("adds the runners' counts", () => {
    expect(countRunner(unitTests, countVitest, 0)).toEqual({ passed: 7, failed: 0 });
    expect(countRunner({ stats, errors: [] }, countPlaywright, 0)).toEqual({ passed: 4, failed: 0 });
  });

  test("counts a file that failed before its first test", () => {
    const report = { ...unitTests, testResults: [{ status: "failed", assertionResults: [] }] };
    expect(countRunner(report, countVitest, 1)).toEqual({ passed: 7, failed: 1 });
  });

  test("counts skipped and flaky tests and runner errors as failed", () => {
    expect(countRunner({ ...unitTests, numPendingTests: 2 }, countVitest, 0).failed).toBe(2);
    expect(countRunner({ stats: { ...stats, flaky: 1, skipped: 1, unexpected: 1 }, errors: [{}] }, countPlaywright, 1).failed).toBe(4);
  });

  test("counts a runner without a report as one failed", () => {
    expect(countRunner(undefined, countVitest, 0)).toEqual({ passed: 0, failed: 1 });
  });

  test("counts a non-zero exit without a failed test as one failed", () => {
    expect(countRunner(unitTests, countVitest, 1)).toEqual({ passed: 7, failed: 1 });
  });

  test("counts a runner without tests as one failed", () => {
    expect(countRunner({ stats: { ...stats, expected: 0 }, errors: [] }, countPlaywright, 0)).toEqual({ passed: 0, failed: 1 });
  });
});

test("each engine has a line with its counts", () => {
  const tests = { sqlite: { passed: 7, failed: 0 }, postgres: { passed: 6, failed: 1 }, neither: { passed: 3, failed: 0 } };
  const spec = (projectName: string, status: string) => ({ title: "a journey", file: "a.spec.ts", tests: [{ projectName, status }] });
  const journeys = countPlaywrightByProject({
    suites: [{ specs: [spec("sqlite", "expected")], suites: [{ specs: [spec("postgres", "expected"), spec("postgres", "unexpected")] }] }],
  });
  expect(journeys.failures).toEqual(["[postgres] a.spec.ts › a journey: unexpected"]);
  expect(describeEngines(tests, journeys.counts)).toEqual([
    "on SQLite: 7 tests passed; 1 journeys passed",
    "on PostgreSQL: 6 tests passed, 1 failed; 1 journeys passed, 1 failed",
    "on no engine or one of its own: 3 tests passed",
  ]);
});

test("each phase has a line with its tests and seconds, and the whole run has one", () => {
  const phases = [
    { name: "build", count: { passed: 0, failed: 0 }, seconds: 9.6 },
    { name: "tests", count: { passed: 120, failed: 3 }, seconds: 240 },
    { name: "journeys", count: { passed: 12, failed: 0 }, seconds: 230.2 },
  ];
  expect(describePhases(phases, 250.4)).toEqual([
    "phase                 tests  seconds",
    "build                     0       10",
    "tests                   123      240",
    "journeys                 12      230",
    "all                     135      250",
  ]);
});
