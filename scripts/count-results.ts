export type Count = { passed: number; failed: number };

/** One phase of the run; `seconds` by the clock. */
export type Phase = { name: string; count: Count; seconds: number };

/** What a runner reports: counts by project, which is the database engine, and a line for each test that didn't pass. */
export type Report = { counts: Record<string, Count>; failures: string[] };

/** `report` is undefined when the runner wrote none. No tests or a non-zero exit code is a failure. */
export function countRunner(report: Report | undefined, exitCode: number): Count {
  if (report === undefined) return { passed: 0, failed: 1 };
  const passed = Object.values(report.counts).reduce((sum, count) => sum + count.passed, 0);
  const silentFailure = exitCode !== 0 || passed === 0 ? 1 : 0;
  return { passed, failed: report.failures.length || silentFailure };
}

type PlaywrightSuite = { suites?: PlaywrightSuite[]; specs?: PlaywrightSpec[] };
type PlaywrightSpec = { title: string; file: string; tests: { projectName: string; status: string }[] };
export type PlaywrightReport = PlaywrightSuite & { errors: { message?: string }[] };

/** A skipped or flaky test and an error outside of tests count as failed. */
export function readPlaywright(report: PlaywrightReport): Report {
  const counts: Record<string, Count> = {};
  const failures = report.errors.map(({ message }) => `[playwright] ${message}`);
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
export function describeEngines(tests: Report["counts"] = {}, journeys: Report["counts"] = {}): string[] {
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
