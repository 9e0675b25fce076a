import type { ReportStatus } from "#domain/reports/report.ts";

/** The queue's texts; those of the empty state and the refresh to the letter (messaging and administration §2, Reports). */
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
