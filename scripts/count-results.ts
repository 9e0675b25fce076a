export type Count = { passed: number; failed: number };

/** One phase of the run; `seconds` by the clock. */
export type Phase = { name: string; count: Count; seconds: number };

/** Our Vitest reporter's file: counts by project, and a line per failed test. */
export type EngineReport = { counts: Record<string, Count>; failures: string[] };

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests?: number;
  testResults: { status: string; assertionResults: unknown[] }[];
};

/** A file that failed before its first test counts as one failed test, and so does a skipped test. */
export function countVitest(report: VitestReport): Count {
  const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + (report.numPendingTests ?? 0) + broken };
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
};

type PlaywrightSuite = { suites?: PlaywrightSuite[]; specs?: PlaywrightSpec[] };
type PlaywrightSpec = { title: string; file: string; tests: { projectName: string; status: string }[] };

export function countPlaywright({ stats, errors }: PlaywrightReport): Count {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
}

/** `report` is undefined when the runner wrote none. No tests or a non-zero exit code is a failure. */
export function countRunner<Report>(report: Report | undefined, count: (report: Report) => Count, exitCode: number): Count {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { passed, failed } = count(report);
  const silentFailure = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: silentFailure ? 1 : failed };
}

/** The same by project, which is the database engine, with a line per failed journey. */
export function countPlaywrightByProject(report: PlaywrightSuite): EngineReport {
  const counts: Record<string, Count> = {};
  const failures: string[] = [];
  for (const { title, file, tests } of specsOf(report)) {
    for (const { projectName, status } of tests) {
      counts[projectName] ??= { passed: 0, failed: 0 };
      (counts[projectName] as Count)[status === "expected" ? "passed" : "failed"]++;
      if (status !== "expected") failures.push(`[${projectName}] ${file} › ${title}: ${status}`);
    }
  }
  return { counts, failures };
}

function specsOf({ suites = [], specs = [] }: PlaywrightSuite): PlaywrightSpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** One line per engine. */
export function describeEngines(tests: Record<string, Count>, journeys: Record<string, Count>): string[] {
  const names: Record<string, string> = { sqlite: "on SQLite", postgres: "on PostgreSQL", neither: "on no engine or one of its own" };
  const part = (count: Count | undefined, noun: string) =>
    count && `${count.passed} ${noun} passed${count.failed > 0 ? `, ${count.failed} failed` : ""}`;
  return Object.entries(names).flatMap(([project, name]) => {
    const parts = [part(tests[project], "tests"), part(journeys[project], "journeys")].filter(Boolean);
    return parts.length > 0 ? [`${name}: ${parts.join("; ")}`] : [];
  });
}

/** A table of phases; the whole run is shorter than their sum where phases overlap. */
export function describePhases(phases: Phase[], seconds: number): string[] {
  const total = phases.reduce((sum, { count }) => sum + count.passed + count.failed, 0);
  const rows = [
    ["phase", "tests", "seconds"],
    ...phases.map(({ name, count, seconds }) => [name, String(count.passed + count.failed), seconds.toFixed(0)]),
    ["all", String(total), seconds.toFixed(0)],
  ];
  return rows.map(([name = "", ...numbers]) => name.padEnd(18) + numbers.map((each) => each.padStart(9)).join(""));
}
