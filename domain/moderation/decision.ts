import type { QueueKind, ReportStatus } from "../reports/report.ts";
import type { ModerationActionKind } from "./moderation-action.ts";

export type Decision =
  | "resolve"
  | "dismiss"
  | "reopen"
  | "hold"
  | "release"
  | "release-resolve"
  | "keep-held"
  | "unpublish"
  | "delete"
  | "clear"
  | "delete-message"
  | "grant"
  | "refuse";

type Choice = { label: string; note: string; done: string; needs?: "reason" | "answer" };

export const decisions: Record<Decision, Choice> = {
  hold: { label: "Hold", note: "Hides it until you decide. The report stays open.", done: "Story held", needs: "reason" },
  release: {
    label: "Release and dismiss",
    note: "No problem found. Restores the story.",
    done: "Story released, report dismissed",
  },
  "release-resolve": {
    label: "Release and resolve",
    note: "Problem dealt with. Restores the story.",
    done: "Story released, report resolved",
  },
  "keep-held": {
    label: "Resolve and keep it held",
    note: "The report is closed. The story stays hidden, under Posts, Status: Held.",
    done: "Report resolved, story still held",
  },
  unpublish: {
    label: "Unpublish",
    note: "Moves it to the author’s drafts. They can publish it again.",
    done: "Story unpublished, report resolved",
    needs: "reason",
  },
  delete: {
    label: "Delete",
    note: "Hides it right away and permanently deletes it after 30 days. You can undo it until then.",
    done: "Story deleted, report resolved",
    needs: "reason",
  },
  clear: {
    label: "Reset profile",
    note: "Removes the bio, links and picture. You can undo this.",
    done: "Profile reset, report resolved",
    needs: "reason",
  },
  "delete-message": {
    label: "Delete message",
    note: "Deletes it for both people. This can’t be undone.",
    done: "Message deleted, report resolved",
    needs: "reason",
  },
  resolve: { label: "Resolve", note: "You’ve dealt with it.", done: "Report resolved" },
  dismiss: { label: "Dismiss", note: "No action needed.", done: "Report dismissed" },
  reopen: { label: "Reopen", note: "Back in the queue.", done: "Report reopened" },
  grant: { label: "Grant", note: "Reverses the decision.", done: "Appeal granted", needs: "answer" },
  refuse: { label: "Refuse", note: "Keeps the decision.", done: "Appeal refused", needs: "answer" },
};

const onKind: Record<Exclude<QueueKind, "appeal">, Decision[]> = {
  post: ["hold", "unpublish", "delete"],
  profile: ["clear"],
  message: ["delete-message"],
};

type SubjectState = { kind: QueueKind; status: ReportStatus; held: ModerationActionKind | null; isDraft: boolean };

export function decisionsOn({ kind, status, held, isDraft }: SubjectState): Decision[] {
  if (kind === "appeal") return status === "pending" ? ["grant", "refuse"] : [];
  if (status !== "pending") return ["reopen"];
  if (kind === "post" && held === "delete") return ["release", "resolve", "dismiss"];
  if (kind === "post" && held) return ["release", "release-resolve", "delete", "keep-held"];
  if (isDraft) return ["hold", "resolve", "dismiss"];
  return [...onKind[kind], "resolve", "dismiss"];
}

/** Closing the report would leave the story hidden without an open report. */
export function wouldStayHeld({ kind, status, held }: SubjectState): boolean {
  return kind === "post" && status === "pending" && held === "hold";
}

export function hasRecipient({ kind, reporterId }: { kind: QueueKind; reporterId: string | null }): boolean {
  return kind === "appeal" || reporterId !== null;
}
