import type { ActRow } from "#platform/database/schema.ts";
import { fullCount } from "../wording.ts";

/** What everybody may know about moderation: kinds, limits and texts; browser-safe (docs/decisions/0022-moderation.md). */
export type ActKind = ActRow["kind"];

/** Acts that somebody feels: they have a reason, can be read by whom they concern, and can be appealed against. */
export const feltKinds = ["hold", "unpublish", "delete", "clear", "suspend"] as const satisfies ActKind[];
export type FeltKind = (typeof feltKinds)[number];

export function isFelt(kind: ActKind): kind is FeltKind {
  return (feltKinds as readonly ActKind[]).includes(kind);
}

const day = 24 * 60 * 60 * 1000;
/** Milliseconds in which an act can be undone; what still holds or is suspended can be let go later as well. */
export const undoTime = 30 * day;
/** Milliseconds that a story deleted by an administrator can be brought back. */
export const deletedKept = undoTime;
/** Characters. */
export const reasonMax = 1000;
export const appealMax = 2000;
export const answerMax = 1000;
/** Against one act; one at a time. */
export const appealsMost = 3;
export const suspensionDays = [1, 3, 7, 14, 30, 90, 365] as const;
export const suspensionMost = 365;

export const moderationWords = {
  reasonRequired: "Please say why: the member will read it",
  reasonTooLong: `The reason cannot exceed ${fullCount(reasonMax)} characters`,
  appealRequired: "Please say why this should be decided differently",
  appealTooLong: `An appeal cannot exceed ${fullCount(appealMax)} characters`,
  appealOpen: "Your appeal is waiting to be answered",
  appealsSpent: `There can be at most ${appealsMost} appeals against one decision`,
  appealSent: "Your appeal has been sent",
  answerRequired: "Please write an answer: the member will read it",
  answerTooLong: `The answer cannot exceed ${fullCount(answerMax)} characters`,
  held: "This story is held by an administrator: it can be changed and saved as a draft, but not published",
  noReason: "No reason was given.",
  undone: "This has been undone already",
  tooLate: "This can’t be undone any more: 30 days have passed",
  storyGone: "This can’t be undone: the story is gone",
  adjustedLater: "These figures were changed again later; undo that first",
  later: "Something decided later keeps this story out of sight; undo that first",
  suspendedLater: "This suspension has ended, or a later one has taken its place",
  noAdministrators: "Administrators can’t be suspended",
  notYourself: "You can’t suspend yourself",
  deleteFirst: "Only a deleted story can be deleted for good",
  notHere: "That can’t be decided here",
  daysWrong: `A suspension lasts from 1 to ${suspensionMost} days`,
};

/** What was done, as whom it concerns reads it. */
export const feltTitles: Record<FeltKind, string> = {
  hold: "Your story is held",
  unpublish: "Your story was unpublished",
  delete: "Your story was deleted",
  clear: "Your profile was cleared",
  suspend: "Your account was suspended",
};

/** What that means for them, in a sentence. */
export const feltMeanings: Record<FeltKind, string> = {
  hold: "Only you and the administrators can see it until they have decided. You can change it meanwhile.",
  unpublish: "It is among your drafts. You can change it and publish it again.",
  delete: "Only you and the administrators can still see it. Take a copy if you need one: it goes for good after 30 days.",
  clear: "About, links and picture are out of sight. You can write new ones at any time.",
  suspend: "You can sign in, read, take your things with you and appeal, but not publish, write to people or react.",
};

/** The same in the words of who decides. */
export const feltNames: Record<FeltKind, string> = {
  hold: "Held a story",
  unpublish: "Unpublished a story",
  delete: "Deleted a story",
  clear: "Cleared a profile",
  suspend: "Suspended a member",
};

/** An act as far as it says whether it can be undone; times in milliseconds. */
export type ActTimes = { kind: ActKind; createdAt: number; endsAt: number | null; undoneAt: number | null };

/** Why an act can't be undone at a time; undefined when it can. */
export function undoProblem({ kind, createdAt, endsAt, undoneAt }: ActTimes, now: number): string | undefined {
  if (undoneAt !== null) return moderationWords.undone;
  if (kind === "hold" || kind === "clear") return undefined;
  if (kind === "suspend") return endsAt !== null && endsAt > now ? undefined : moderationWords.suspendedLater;
  return now < createdAt + undoTime ? undefined : moderationWords.tooLate;
}
