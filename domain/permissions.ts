import { NotAllowed, SignInFirst } from "./refusals.ts";
import type { Viewer } from "./site.ts";

/** What somebody is to the thing in question. Being its owner comes before being unconfirmed. */
export type Role = "visitor" | "unconfirmed" | "member" | "owner" | "admin";

const roles = ["visitor", "unconfirmed", "member", "owner", "admin"] as const satisfies Role[];

const yes = true;
const no = false;

/** Who may do what (specification §6; messaging and administration §6). Everything that asks, asks here. */
export const permissions = {
  //                         visitor unconfirmed member owner admin
  "read a published story": [yes, yes, yes, yes, yes],
  "read a draft": [no, no, no, yes, yes],
  "list all stories": [no, yes, yes, yes, yes],
  "write a story": [no, no, yes, yes, yes],
  "edit a story": [no, no, no, yes, yes],
  "delete a story": [no, no, no, yes, yes],
  "see a profile": [yes, yes, yes, yes, yes],
  "edit a profile": [no, no, no, yes, no],
  "like or bookmark": [no, yes, yes, yes, yes],
  "send a message": [no, no, yes, yes, yes],
  "read a conversation": [no, no, no, yes, yes],
  "administer the site": [no, no, no, no, yes],
} as const satisfies Record<string, [boolean, boolean, boolean, boolean, boolean]>;

export type Action = keyof typeof permissions;

/** What the viewer is to something that belongs to `ownerId`; leave it out where nothing is owned yet. */
export function roleOf(viewer: Viewer, ownerId?: string): Role {
  if (!viewer) return "visitor";
  if (viewer.id === ownerId) return "owner";
  if (viewer.admin) return "admin";
  return viewer.confirmed ? "member" : "unconfirmed";
}

export function may(viewer: Viewer, action: Action, ownerId?: string): boolean {
  return permissions[action][roles.indexOf(roleOf(viewer, ownerId))] ?? false;
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
  throw new NotAllowed(viewer.confirmed ? undefined : "Please confirm your email address first");
}
