import { type MemberFacingKind, memberFacingTitles } from "./moderation-action.ts";

export type RestoredState = "live" | "draft" | "held";

export function restoredTo({ status, heldBy }: { status?: string | undefined; heldBy?: string | null | undefined }): RestoredState {
  if (heldBy) return "held";
  return status === "active" ? "live" : "draft";
}

type UndoneAction = { kind: MemberFacingKind; byRule: boolean; restored: RestoredState };

export function noticeTitle({ undoneAt, ...notice }: UndoneAction & { undoneAt: number | null }): string {
  return undoneAt === null ? memberFacingTitles[notice.kind] : undoneTitle(notice);
}

export function undoneTitle({ kind, byRule, restored }: UndoneAction): string {
  if (kind === "suspend") return "Your suspension was lifted";
  if (kind === "clear") return "Your profile was restored";
  // A rule holds most stories before anyone could read them.
  if (restored === "live") return byRule ? "Your story is live" : "Your story is live again";
  return kind === "hold" ? "Your story was released" : "Your story was restored";
}

export function undoneMeaning({ kind, restored }: UndoneAction): string {
  if (kind === "suspend") return "You can publish, message and react again.";
  if (kind === "clear") return "Your bio, links and picture are back, except where you’ve added new ones.";
  return postMeanings[restored];
}

const postMeanings: Record<RestoredState, string> = {
  live: "Readers can see it.",
  draft: "It’s yours to edit and publish again.",
  held: "It’s being reviewed again. Only you and the site’s staff can see it until they decide.",
};
