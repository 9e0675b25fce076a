import type { ReportStatus } from "#domain/reports/report.ts";

/** The empty state and the refresh toast are fixed by the specification (messaging and administration §2). */
export const reportTexts = {
  nothing: "Great news! There are currently no reported items that need your attention.",
  nothingYet: "Reports will appear here when users flag content for review.",
  refreshed: "Reports refreshed",
  failed: "Failed to update report",
  settled: { resolved: "Report resolved", dismissed: "Report dismissed", pending: "Report reopened" } satisfies Record<
    ReportStatus,
    string
  >,
};
