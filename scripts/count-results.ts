/** What one runner says about its tests. */
export type Count = { passed: number; failed: number };

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests?: number;
  testResults: { status: string; assertionResults: unknown[] }[];
};

/** A test file that broke before its first test counts as one failed, and so does a test that was skipped. */
export function countVitest(report: VitestReport): Count {
  const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + (report.numPendingTests ?? 0) + broken };
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
};

/** Only what passed at the first try has passed. */
export function countPlaywright({ stats, errors }: PlaywrightReport): Count {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
}

/** `report` is the runner's JSON, or undefined when it wrote none; nothing run, or a bad end, is never a success. */
export function countRunner<Report>(report: Report | undefined, count: (report: Report) => Count, exitCode: number): Count {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { passed, failed } = count(report);
  const silentFailure = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: silentFailure ? 1 : failed };
}
