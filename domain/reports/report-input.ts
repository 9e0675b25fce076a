import { z } from "zod";
import { normalizeLineBreaks } from "../normalize-input.ts";
import { noteMaxLength, type ReportReason, reportKinds, reportReasons, reportTexts } from "./report.ts";

const reasons = Object.keys(reportReasons) as [ReportReason, ...ReportReason[]];

export const ReportSubject = z.object({ kind: z.enum(reportKinds), subjectId: z.string().min(1).max(100) });

export type ReportSubject = z.output<typeof ReportSubject>;

export const ReportInput = ReportSubject.extend({
  reason: z.enum(reasons, { error: reportTexts.reasonRequired }),
  note: z
    .string()
    .transform((note) => normalizeLineBreaks(note).trim())
    .pipe(z.string().max(noteMaxLength, reportTexts.noteTooLong))
    .default(""),
}).refine(({ reason, note }) => reason !== "other" || note !== "", { path: ["note"], error: reportTexts.noteRequired });

export type ReportInput = z.output<typeof ReportInput>;
