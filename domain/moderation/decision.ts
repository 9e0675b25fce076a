import type { QueueKind, ReportStatus } from "../reports/report.ts";
import type { ActKind } from "./act.ts";

/** What administrators can decide on something in their queue; browser-safe. */
export type Decision =
  | "resolve"
  | "dismiss"
  | "reopen"
  | "hold"
  | "release"
  | "unpublish"
  | "delete"
  | "clear"
  | "delete-message"
  | "grant"
  | "refuse";

type Choice = { label: string; note: string; done: string; needs?: "reason" | "answer" };

export const decisions: Record<Decision, Choice> = {
  hold: { label: "Hold", note: "Out of sight until it is decided; this report goes on waiting.", done: "Post held", needs: "reason" },
  release: { label: "Let it go", note: "It is as it was before, and the report is dismissed.", done: "Post let go, report dismissed" },
  unpublish: {
    label: "Unpublish",
    note: "Among its author’s drafts; they can publish it again.",
    done: "Post unpublished, report resolved",
    needs: "reason",
  },
  delete: {
    label: "Delete",
    note: "Out of sight at once, gone for good after 30 days; until then it can be brought back.",
    done: "Post deleted, report resolved",
    needs: "reason",
  },
  clear: {
    label: "Clear the profile",
    note: "About, links and picture go out of sight; this can be undone.",
    done: "Profile cleared, report resolved",
    needs: "reason",
  },
  "delete-message": {
    label: "Delete the message",
    note: "For both people and for good: this can’t be undone.",
    done: "Message deleted, report resolved",
    needs: "reason",
  },
  resolve: { label: "Resolve", note: "It has been dealt with.", done: "Report resolved" },
  dismiss: { label: "Dismiss", note: "There is nothing to do.", done: "Report dismissed" },
  reopen: { label: "Reopen", note: "It waits to be decided again.", done: "Report reopened" },
  grant: { label: "Grant", note: "What was decided is undone.", done: "Appeal granted", needs: "answer" },
  refuse: { label: "Refuse", note: "What was decided stands.", done: "Appeal refused", needs: "answer" },
};

const onKind: Record<Exclude<QueueKind, "appeal">, Decision[]> = {
  post: ["hold", "unpublish", "delete"],
  profile: ["clear"],
  message: ["delete-message"],
};

type About = { kind: QueueKind; status: ReportStatus; held: ActKind | null };

/** What can be decided on it as it stands. */
export function decisionsOn({ kind, status, held }: About): Decision[] {
  if (kind === "appeal") return status === "pending" ? ["grant", "refuse"] : [];
  if (status !== "pending") return ["reopen"];
  if (kind === "post" && held) return ["release", ...(held === "delete" ? [] : (["delete"] as const)), "resolve", "dismiss"];
  return [...onKind[kind], "resolve", "dismiss"];
}
