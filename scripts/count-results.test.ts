import { describe, expect, test } from "vitest";
import { countRunner, describeEngines, describePhases, readPlaywright } from "./count-results.ts";

const unitTests = { counts: { sqlite: { passed: 4, failed: 0 }, neither: { passed: 3, failed: 0 } }, failures: [] };
const spec = (projectName: string, status: string) => ({ title: "a journey", file: "a.spec.ts", tests: [{ projectName, status }] });
const journeys = (...specs: ReturnType<typeof spec>[]) => readPlaywright({ suites: [{ suites: [{ specs }] }], errors: [] });

describe("a runner's count", () => {
  test("is the sum of its projects", () => {
    expect(countRunner(unitTests, 0)).toEqual({ passed: 7, failed: 0 });
    expect(countRunner(journeys(spec("sqlite", "expected"), spec("postgres", "expected")), 0)).toEqual({ passed: 2, failed: 0 });
  });

  test("has skipped and flaky tests and the runner's errors as failed", () => {
    const report = journeys(...["expected", "unexpected", "flaky", "skipped"].map((status) => spec("sqlite", status)));
    expect(countRunner(report, 1)).toEqual({ passed: 1, failed: 3 });
    const { failures } = readPlaywright({ errors: [{ message: "no such file" }] });
    expect(failures).toEqual(["[playwright] no such file"]);
    expect(countRunner({ ...unitTests, failures }, 1)).toEqual({ passed: 7, failed: 1 });
  });

  test("is one failed without a report, without tests, or with a non-zero exit and no failed test", () => {
    expect(countRunner(undefined, 0)).toEqual({ passed: 0, failed: 1 });
    expect(countRunner(journeys(), 0)).toEqual({ passed: 0, failed: 1 });
    expect(countRunner(unitTests, 1)).toEqual({ passed: 7, failed: 1 });
  });
});

test("each engine has a line with its counts", () => {
  const tests = { sqlite: { passed: 7, failed: 0 }, postgres: { passed: 6, failed: 1 }, neither: { passed: 3, failed: 0 } };
  const { counts, failures } = journeys(spec("sqlite", "expected"), spec("postgres", "expected"), spec("postgres", "unexpected"));
  expect(failures).toEqual(["[postgres] a.spec.ts › a journey: unexpected"]);
  expect(describeEngines(tests, counts)).toEqual([
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
