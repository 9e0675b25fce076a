import { z } from "zod";
import { settleQueuedReport } from "#domain/moderation/decide.server.ts";
import { reportKinds, reportReasons, reportStatuses } from "#domain/reports/report.ts";
import { ReportInput } from "#domain/reports/report-input.ts";
import { findOwnReport, report } from "#domain/reports/reports.server.ts";
import { requireSelf, text, textOrNull, writer } from "./collection-writer.ts";
import { parseAttributes } from "./structure.ts";

const reasons = Object.keys(reportReasons) as [keyof typeof reportReasons, ...(keyof typeof reportReasons)[]];

export const reportWriter = writer({
  collection: "reports",
  attributes: {
    kind: z.enum([...reportKinds, "appeal"]),
    subjectId: text,
    ownerId: textOrNull.describe("The owner's user id."),
    reporterId: textOrNull,
    reason: text,
    note: text,
    excerpt: text,
    status: z.enum(reportStatuses),
  },
  create: {
    data: z.strictObject({
      kind: z.enum(reportKinds),
      subjectId: z.string().min(1).max(100),
      reason: z.enum(reasons),
      note: z.string().default(""),
      reporterId: z.string().nullish(),
    }),
    async run(call, _id, { reporterId, ...given }) {
      const viewer = requireSelf(call, reporterId);
      const input = await parseAttributes(ReportInput, given);
      await report(call.site, viewer, input);
      return findOwnReport(call.site, viewer, input);
    },
  },
  update: {
    data: z.strictObject({ status: z.enum(reportStatuses) }),
    run: (call, id, { status }) => settleQueuedReport(call.site, call.viewer, id, status),
  },
});
