import { shortDate } from "./dates.ts";
import { NotAllowed, SignInFirst } from "./refusals.ts";
import type { Viewer } from "./site.ts";

/** What somebody is to the thing in question. Being its owner comes before being unconfirmed. */
export type Role = "visitor" | "unconfirmed" | "member" | "owner" | "admin";

const roles = ["visitor", "unconfirmed", "member", "owner", "admin"] as const satisfies Role[];

const yes = true;
const no = false;

/**
 * Who may do what (specification §6; messaging and administration §6). Everything that asks, asks here. The last column
 * says what stays open, of what somebody may do otherwise, while they are suspended (docs/decisions/0022-moderation.md).
 */
export const permissions = {
  //                         visitor unconfirmed member owner admin | suspended
  "read a published story": [yes, yes, yes, yes, yes, yes],
  "read a draft": [no, no, no, yes, yes, yes],
  "list all stories": [no, yes, yes, yes, yes, yes],
  "write a story": [no, no, yes, yes, yes, no],
  "keep unfinished work": [no, yes, yes, yes, yes, yes],
  "edit a story": [no, no, no, yes, yes, no],
  "publish or unpublish a story": [no, no, no, yes, yes, no],
  "delete a story": [no, no, no, yes, yes, yes],
  "see a profile": [yes, yes, yes, yes, yes, yes],
  "edit a profile": [no, no, no, yes, no, no],
  "like or bookmark": [no, yes, yes, yes, yes, no],
  "see reports": [no, no, no, yes, yes, yes],
  "upload files": [no, yes, yes, yes, yes, no],
  "see uploaded files": [no, no, no, yes, yes, yes],
  "see own bookmarks": [no, no, no, yes, no, yes],
  "follow a member": [no, yes, yes, no, yes, no],
  "see own follows": [no, no, no, yes, no, yes],
  "change an account": [no, no, no, yes, no, yes],
  "take an account's data away": [no, no, no, yes, no, yes],
  "delete an account": [no, no, no, yes, no, yes],
  report: [no, no, yes, no, yes, no],
  "send a message": [no, no, yes, yes, yes, no],
  "read a conversation": [no, no, no, yes, yes, yes],
  "delete a message": [no, no, no, yes, yes, yes],
  "block or mute": [no, yes, yes, yes, yes, yes],
  "read what was decided": [no, no, no, yes, yes, yes],
  appeal: [no, no, no, yes, no, yes],
  "administer the site": [no, no, no, no, yes, no],
} as const satisfies Record<string, [boolean, boolean, boolean, boolean, boolean, boolean]>;

export type Action = keyof typeof permissions;

/** What the viewer is to something that belongs to `ownerId`; leave it out where nothing is owned yet. */
export function roleOf(viewer: Viewer, ownerId?: string): Role {
  if (!viewer) return "visitor";
  if (viewer.id === ownerId) return "owner";
  if (viewer.admin) return "admin";
  return viewer.confirmed ? "member" : "unconfirmed";
}

const whileSuspended = roles.length;

export function may(viewer: Viewer, action: Action, ownerId?: string): boolean {
  const row = permissions[action];
  return (row[roles.indexOf(roleOf(viewer, ownerId))] ?? false) && (row[whileSuspended] || !viewer?.suspendedUntil);
}

/** What somebody suspended reads when they try what is closed to them; `until` in milliseconds. */
export function suspendedText(until: number): string {
  return `Your account is suspended until ${shortDate(until)}`;
}

/**
 * @throws SignInFirst for a visitor, NotAllowed for anybody else whom the table refuses.
 */
export function mustBeAllowed<Person extends Viewer>(
  viewer: Person,
  action: Action,
  ownerId?: string,
): asserts viewer is NonNullable<Person> {
  if (may(viewer, action, ownerId)) return;
  if (!viewer) throw new SignInFirst();
  if (may({ ...viewer, suspendedUntil: null }, action, ownerId)) throw new NotAllowed(suspendedText(viewer.suspendedUntil ?? 0));
  throw new NotAllowed(viewer.confirmed ? undefined : "Please confirm your email address first");
}
