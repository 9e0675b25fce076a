import { longDate } from "../dates.ts";
import { excerpt as shorten } from "../format.ts";
import { sendToMember } from "../mail/send-to-member.server.ts";
import type { SiteTransaction } from "../site.ts";
import { appealOutcomes, isDefaultAnswer, type QueueKind, type ReportStatus, reasonLabel, reportNouns } from "./report.ts";

type ClosedReport = { kind: QueueKind; subjectId: string; reporterId: string | null; reason: string; excerpt: string; createdAt: number };
type ReportAnswer = { status: ReportStatus; answer: string };

export async function emailAnswer(tx: SiteTransaction, answered: ClosedReport, answerText: ReportAnswer): Promise<void> {
  const { kind, reporterId } = answered;
  if (!reporterId || answerText.answer === "") return;
  await sendToMember(tx, reporterId, false, kind === "appeal" ? onAppeal(tx, answered, answerText) : onReport(tx, answered, answerText));
}

function onAppeal({ url }: SiteTransaction, { subjectId, excerpt, createdAt }: ClosedReport, { status, answer }: ReportAnswer) {
  const outcome = appealOutcomes[status];
  return {
    subject: outcome,
    body: `${outcome}.\n\nOn ${longDate(createdAt)} you appealed this decision: ${excerptLine(excerpt)}.\n\nThe staff’s answer:\n\n${answer}\n\nRead the decision here:\n\n${url}/notices/${subjectId}`,
  };
}

function onReport({ url }: SiteTransaction, { kind, reason, excerpt, createdAt }: ClosedReport, { answer }: ReportAnswer) {
  const first = `On ${longDate(createdAt)} you reported the ${reportNouns[kind]} ${excerptLine(excerpt)} (${reasonLabel(reason)}).`;
  const answerText = isDefaultAnswer(answer) ? answer : `Our answer:\n\n${answer}`;
  return {
    subject: kind === "message" ? "An answer to your report of a message" : `An answer to your report of ${excerptLine(excerpt)}`,
    body: `${first}\n\n${answerText}\n\n${url}/notifications`,
  };
}

function excerptLine(excerpt: string): string {
  return `“${shorten(excerpt.split("\n")[0] ?? "", 80)}”`;
}
