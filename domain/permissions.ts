import { minutes } from "#platform/time.ts";
import { shortDate } from "./dates.ts";
import { NotAllowed, ReauthenticationRequired, SignInRequired } from "./refusals.ts";
import type { Viewer } from "./site.ts";

const roles = ["visitor", "unconfirmed", "member", "owner", "moderator", "administrator"] as const;
export type Role = (typeof roles)[number];

const yes = true;
const no = false;

/**
 * Specification §6; messaging and administration §6; docs/decisions/0013-staff.md. The last column: what stays allowed during a suspension
 * (docs/decisions/0014-moderation.md).
 */
export const permissions = {
  //                               visitor unconf. member owner moder. admin | suspended
  "read a published story": [yes, yes, yes, yes, yes, yes, yes],
  "read a draft": [no, no, no, yes, no, yes, yes],
  "read a held story": [no, no, no, yes, yes, yes, yes],
  "list all stories": [no, yes, yes, yes, yes, yes, yes],
  "write a story": [no, no, yes, yes, yes, yes, no],
  "save unfinished work": [no, yes, yes, yes, yes, yes, yes],
  "preview a story": [no, yes, yes, yes, yes, yes, no],
  "edit a story": [no, no, no, yes, no, yes, no],
  "publish or unpublish a story": [no, no, no, yes, yes, yes, no],
  "delete a story": [no, no, no, yes, yes, yes, yes],
  "see a profile": [yes, yes, yes, yes, yes, yes, yes],
  "edit a profile": [no, no, no, yes, no, no, no],
  "like or bookmark": [no, yes, yes, yes, yes, yes, no],
  "see reports": [no, no, no, yes, yes, yes, yes],
  "upload files": [no, yes, yes, yes, yes, yes, no],
  "upload files for others": [no, no, yes, yes, yes, yes, no],
  "see uploaded files": [no, no, no, yes, no, yes, yes],
  "see own bookmarks": [no, no, no, yes, no, no, yes],
  "follow a member": [no, yes, yes, no, yes, yes, no],
  "see own notifications": [no, no, no, yes, no, no, yes],
  "get notifications on a device": [no, no, no, yes, no, no, no],
  "see own follows": [no, no, no, yes, no, no, yes],
  "change an account": [no, no, no, yes, no, no, yes],
  "export an account's data": [no, no, no, yes, no, no, yes],
  "delete an account": [no, no, no, yes, no, no, yes],
  report: [no, no, yes, no, yes, yes, no],
  "send a message": [no, no, yes, yes, yes, yes, no],
  "read a conversation": [no, no, no, yes, no, no, yes],
  "delete a message": [no, no, no, yes, no, yes, yes],
  "block or mute": [no, yes, yes, yes, yes, yes, yes],
  "read a decision": [no, no, no, yes, yes, yes, yes],
  appeal: [no, no, no, yes, no, no, yes],
  "enter the admin area": [no, no, no, no, yes, yes, no],
  "see the dashboard": [no, no, no, no, yes, yes, no],
  "moderate stories": [no, no, no, no, yes, yes, no],
  "moderate members": [no, no, no, no, yes, yes, no],
  "handle reports": [no, no, no, no, yes, yes, no],
  "undo a decision": [no, no, no, no, yes, yes, no],
  "read reported messages": [no, no, no, no, yes, yes, no],
  "read private messages": [no, no, no, no, no, yes, no],
  "see files": [no, no, no, no, yes, yes, no],
  "remove a file": [no, no, no, no, yes, yes, no],
  "erase a story": [no, no, no, no, no, yes, no],
  "adjust counts": [no, no, no, no, no, yes, no],
  "set rules": [no, no, no, no, no, yes, no],
  "list members": [no, no, no, no, no, yes, no],
  "see analytics": [no, no, no, no, no, yes, no],
  "see settings": [no, no, no, no, no, yes, no],
  "change settings": [no, no, no, no, no, yes, no],
  "edit page texts": [no, no, no, no, no, yes, no],
  "see the database": [no, no, no, no, no, yes, no],
  "make backups": [no, no, no, no, no, yes, no],
  "see the audit log": [no, no, no, no, no, yes, no],
  "grant roles": [no, no, no, no, no, yes, no],
  "see errors": [no, no, no, no, no, yes, no],
  "manage emails": [no, no, no, no, no, yes, no],
  "see webhooks": [no, no, no, no, no, yes, no],
  "change webhooks": [no, no, no, no, no, yes, no],
  "enter during maintenance": [no, no, no, no, no, yes, no],
} as const satisfies Record<string, [boolean, boolean, boolean, boolean, boolean, boolean, boolean]>;

export type Action = keyof typeof permissions;

/** Staff must have reauthenticated within `reauthenticatedForMs`: an open or stolen session isn't enough. */
export const requiresReauthentication: ReadonlySet<Action> = new Set([
  "moderate members",
  "read reported messages",
  "read private messages",
  "change settings",
  "edit page texts",
  "change webhooks",
  "make backups",
  "grant roles",
]);

export const reauthenticatedForMs = minutes(15);

export function roleOf(viewer: Viewer, ownerId?: string): Role {
  if (!viewer) return "visitor";
  if (viewer.id === ownerId) return "owner";
  if (viewer.staff) return viewer.staff;
  return viewer.isEmailConfirmed ? "member" : "unconfirmed";
}

export function isRoleAllowed(role: Role | null | undefined, action: Action): boolean {
  return role ? (permissions[action][roles.indexOf(role)] ?? false) : false;
}

const whileSuspended = roles.length;

export function may(viewer: Viewer, action: Action, ownerId?: string): boolean {
  const row = permissions[action];
  return (row[roles.indexOf(roleOf(viewer, ownerId))] ?? false) && (row[whileSuspended] || !viewer?.suspendedUntil);
}

function suspendedText(until: number): string {
  return `Your account is suspended until ${shortDate(until)}`;
}

/** @throws SignInRequired, NotAllowed, ReauthenticationRequired. */
export function requirePermission<Person extends Viewer>(
  viewer: Person,
  action: Action,
  ownerId?: string,
): asserts viewer is NonNullable<Person> {
  if (may(viewer, action, ownerId)) {
    if (viewer && requiresReauthentication.has(action) && !viewer.isReauthenticated) throw new ReauthenticationRequired();
    return;
  }
  if (!viewer) throw new SignInRequired();
  if (may({ ...viewer, suspendedUntil: null }, action, ownerId)) throw new NotAllowed(suspendedText(viewer.suspendedUntil ?? 0));
  throw new NotAllowed(viewer.isEmailConfirmed ? undefined : "Please confirm your email address first");
}

/**
 * Pages outlive a session. @param userId the member who opened the page; pages of older versions name none. @throws NotAllowed if another
 * member has signed in since.
 */
export function requireSameMember(viewer: Viewer, userId: unknown): void {
  if (viewer && userId && userId !== viewer.id) throw new NotAllowed("You’re signed in with another account", { kind: "someone-else" });
}
