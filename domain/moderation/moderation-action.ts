import type { ModerationActionRow } from "#platform/database/schema.ts";
import { days } from "#platform/time.ts";
import { longDate } from "../dates.ts";
import { fullCount } from "../format.ts";
import type { Action } from "../permissions.ts";

/** Kinds, limits and texts of moderation; browser-safe (docs/decisions/0014-moderation.md). */
export type ModerationActionKind = ModerationActionRow["kind"];

export const memberFacingKinds = ["hold", "unpublish", "delete", "clear", "suspend"] as const satisfies ModerationActionKind[];
export type MemberFacingKind = (typeof memberFacingKinds)[number];

export function isMemberFacing(kind: ModerationActionKind): kind is MemberFacingKind {
  return (memberFacingKinds as readonly ModerationActionKind[]).includes(kind);
}

/** Active holds and suspensions can be undone later, too. */
export const undoWindowMs = days(30);
export const deletedRetentionMs = undoWindowMs;
export const reasonMaxLength = 1000;
export const appealMaxLength = 2000;
export const answerMaxLength = 1000;
export const maxAppeals = 3;
export const suspensionDays = [1, 3, 7, 14, 30, 90, 365] as const;
export const maxSuspensionDays = 365;

export const actionTexts = {
  reasonRequired: "Add a reason. The member will see it.",
  reasonTooLong: `The reason cannot exceed ${fullCount(reasonMaxLength)} characters`,
  appealRequired: "Tell us why we should change this decision",
  appealTooLong: `An appeal cannot exceed ${fullCount(appealMaxLength)} characters`,
  appealOpen: "Your appeal is waiting for an answer",
  appealsSpent: `You can appeal a decision up to ${maxAppeals} times`,
  appealSent: "Your appeal has been sent",
  answerRequired: "Write an answer. The member will see it.",
  answerTooLong: `The answer cannot exceed ${fullCount(answerMaxLength)} characters`,
  stillHeld: "This story is held. Decide what to do with it.",
  held: "This story is being reviewed. You can edit it, but not publish it yet.",
  noReason: "No reason was given.",
  undone: "This was already undone",
  tooLate: "This can’t be undone after 30 days",
  permanentlyDeleted: "This story was permanently deleted. The decision can’t be changed anymore.",
  postGone: "This can’t be undone because the story was deleted",
  adjustedLater: "These numbers have changed again since. Undo the newer change first.",
  changedLater: "This story has changed since. Its author can publish it again.",
  changedUnread: "This story has changed since, so only administrators can read it and grant this. Its author can publish it again.",
  later: "A later decision keeps this story hidden. Undo that first.",
  suspendedLater: "This suspension has ended or was replaced",
  noStaff: "Staff can’t be suspended. Remove their role first.",
  notYourself: "You can’t suspend yourself",
  deleteFirst: "Only a deleted story can be deleted permanently",
  notHere: "You can’t decide that here",
  daysWrong: `A suspension can last from 1 to ${maxSuspensionDays} days`,
};

export const memberFacingTitles: Record<MemberFacingKind, string> = {
  hold: "Your story is being reviewed",
  unpublish: "Your story was unpublished",
  delete: "Your story was deleted",
  clear: "Your profile was reset",
  suspend: "Your account was suspended",
};

export function undoPermission(kind: ModerationActionKind): Action {
  if (kind === "suspend" || kind === "clear") return "moderate members";
  return kind === "likes" || kind === "views" ? "adjust counts" : "undo a decision";
}

const meanings: Record<MemberFacingKind, string> = {
  hold: "Only you and the site’s staff can see it until they decide. You can still edit it.",
  unpublish: "It’s back in your drafts. You can edit it and publish it again.",
  delete: "Only you and the site’s staff can still see it.",
  clear: "Your bio, links and picture were removed. You can add new ones anytime.",
  suspend: "You can still sign in, read, download your data and appeal. You can’t publish, message or react.",
};

export function memberFacingMeaning({ kind, endsAt }: { kind: MemberFacingKind; endsAt: number | null }): string {
  if (kind !== "delete" || endsAt === null) return meanings[kind];
  return `${meanings.delete} It will be permanently deleted on ${longDate(endsAt)}. Save a copy if you need one.`;
}

export const moderationActionNames: Record<MemberFacingKind, string> = {
  hold: "Held a story",
  unpublish: "Unpublished a story",
  delete: "Deleted a story",
  clear: "Reset a profile",
  suspend: "Suspended a member",
};

export type ModerationActionTimes = { kind: ModerationActionKind; createdAt: number; endsAt: number | null; undoneAt: number | null };

export function isErased({ kind, endsAt }: Pick<ModerationActionTimes, "kind" | "endsAt">, now: number): boolean {
  return kind !== "suspend" && endsAt !== null && endsAt <= now;
}

export function undoProblem({ kind, createdAt, endsAt, undoneAt }: ModerationActionTimes, now: number): string | undefined {
  if (undoneAt !== null) return actionTexts.undone;
  if (kind === "suspend") return endsAt !== null && endsAt > now ? undefined : actionTexts.suspendedLater;
  if (isErased({ kind, endsAt }, now)) return actionTexts.postGone;
  if (kind === "hold" || kind === "clear") return undefined;
  return now < createdAt + undoWindowMs ? undefined : actionTexts.tooLate;
}
