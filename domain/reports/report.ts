import { fullCount } from "../format.ts";

/** Browser-safe (docs/decisions/0014-moderation.md). */
export const reportKinds = ["post", "profile", "message"] as const;
export type ReportKind = (typeof reportKinds)[number];

export type QueueKind = ReportKind | "appeal";

export const reportReasons = {
  spam: "Spam or advertising",
  harassment: "Harassment or bullying",
  hate: "Hate or discrimination",
  violence: "Threats or violence",
  sexual: "Sexual content",
  copyright: "Someone else’s work",
  impersonation: "Impersonation",
  other: "Something else",
} as const;
export type ReportReason = keyof typeof reportReasons;

export function reasonLabel(reason: string): string {
  if (reason === ruleReason) return "Matched a rule";
  if (reason === appealReason) return "Appeal";
  if (reason === editedReason) return "Edited while held";
  return reportReasons[reason as ReportReason] ?? reason;
}

export const ruleReason = "rule";
export const appealReason = "appeal";
export const editedReason = "edited";

export const reportStatuses = ["pending", "resolved", "dismissed"] as const;
export type ReportStatus = (typeof reportStatuses)[number];

export const appealOutcomes: Record<ReportStatus, string> = {
  pending: "Your appeal was answered",
  resolved: "Your appeal was granted",
  dismissed: "Your appeal was not granted",
};

export const defaultAnswers: Record<ReportStatus, string> = {
  pending: "",
  resolved: "Thank you for your report. We’ve looked into it and taken care of it.",
  dismissed: "Thank you for your report. We’ve looked into it and decided that no action is needed.",
};

export function isDefaultAnswer(answer: string): boolean {
  return Object.values(defaultAnswers).includes(answer);
}

export type ReportAddition = { reason: string; note: string; at: number };

export const maxAdditions = 20;

export function additionsOf(stored: string): ReportAddition[] {
  return JSON.parse(stored) as ReportAddition[];
}

export const noteMaxLength = 1000;
export const excerptMaxLength = 500;

export const reportTexts = {
  reasonRequired: "Choose a reason",
  noteRequired: "Tell us briefly what’s wrong",
  noteTooLong: `The note cannot exceed ${fullCount(noteMaxLength)} characters`,
  own: "You can’t report your own content",
  sent: "Thank you. We’ll review it.",
  added: "Thank you. We added this to your earlier report.",
  enough: "You have reported this several times. We’ll review it.",
  settledMeanwhile: "We’ve just made a decision on your earlier report. Please send this again.",
  failed: "Failed to send report",
  evidence: "We keep a copy of the message and up to ten around it for moderators, even if someone deletes them, for 90 days at most.",
  alreadyOpen: "There’s already an open report of this by the same member.",
  appealElsewhere: "Appeals are answered on the site, in the report queue.",
};

export const reportNouns: Record<QueueKind, string> = { post: "story", profile: "profile", message: "message", appeal: "decision" };
