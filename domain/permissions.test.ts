import { describe, expect, test } from "vitest";
import { type Action, may, permissions, requirePermission, requiresReauthentication, roleOf } from "./permissions.ts";
import { type Member, memberWithoutSession, type Viewer } from "./site.ts";

const member = memberWithoutSession({ id: "maren", name: "Maren", email: "m@example.com", isReauthenticated: true });
const unconfirmed = { ...member, id: "salma", isEmailConfirmed: false };
const administrator: Member = { ...member, id: "ruth", staff: "administrator" };
const moderator: Member = { ...member, id: "moses", staff: "moderator" };
const owner = { ...member, id: "owner" };

/** The specification a second time, to find mistakes in the table: allowed viewers in the table's order. */
const expected: Record<Action, string> = {
  "read a published story": "visitor unconfirmed member owner moderator administrator",
  "read a draft": "owner administrator",
  "read a held story": "owner moderator administrator",
  "list all stories": "unconfirmed member owner moderator administrator",
  "write a story": "member owner moderator administrator",
  "save unfinished work": "unconfirmed member owner moderator administrator",
  "preview a story": "unconfirmed member owner moderator administrator",
  "edit a story": "owner administrator",
  "publish or unpublish a story": "owner moderator administrator",
  "delete a story": "owner moderator administrator",
  "see a profile": "visitor unconfirmed member owner moderator administrator",
  "edit a profile": "owner",
  "like or bookmark": "unconfirmed member owner moderator administrator",
  "see reports": "owner moderator administrator",
  "upload files": "unconfirmed member owner moderator administrator",
  "upload files for others": "member owner moderator administrator",
  "see uploaded files": "owner administrator",
  "see own bookmarks": "owner",
  "follow a member": "unconfirmed member moderator administrator",
  "see own notifications": "owner",
  "get notifications on a device": "owner",
  "see own follows": "owner",
  "change an account": "owner",
  "export an account's data": "owner",
  "delete an account": "owner",
  report: "member moderator administrator",
  "send a message": "member owner moderator administrator",
  "read a conversation": "owner",
  "delete a message": "owner administrator",
  "block or mute": "unconfirmed member owner moderator administrator",
  "read a decision": "owner moderator administrator",
  appeal: "owner",
  "enter the admin area": "moderator administrator",
  "see the dashboard": "moderator administrator",
  "moderate stories": "moderator administrator",
  "moderate members": "moderator administrator",
  "handle reports": "moderator administrator",
  "undo a decision": "moderator administrator",
  "read reported messages": "moderator administrator",
  "read private messages": "administrator",
  "see files": "moderator administrator",
  "remove a file": "moderator administrator",
  "erase a story": "administrator",
  "adjust counts": "administrator",
  "set rules": "administrator",
  "list members": "administrator",
  "see analytics": "administrator",
  "see settings": "administrator",
  "change settings": "administrator",
  "edit page texts": "administrator",
  "see the database": "administrator",
  "make backups": "administrator",
  "see the audit log": "administrator",
  "grant roles": "administrator",
  "see errors": "administrator",
  "manage emails": "administrator",
  "see webhooks": "administrator",
  "change webhooks": "administrator",
  "enter during maintenance": "administrator",
};

/** Actions that suspended members can't do, even as owner. */
const closed: Action[] = [
  "write a story",
  "preview a story",
  "edit a story",
  "publish or unpublish a story",
  "edit a profile",
  "like or bookmark",
  "upload files",
  "upload files for others",
  "follow a member",
  "get notifications on a device",
  "report",
  "send a message",
  "enter the admin area",
  "see the dashboard",
  "moderate stories",
  "moderate members",
  "handle reports",
  "undo a decision",
  "read reported messages",
  "read private messages",
  "erase a story",
  "adjust counts",
  "set rules",
  "list members",
  "see analytics",
  "see settings",
  "change settings",
  "edit page texts",
  "see the database",
  "make backups",
  "see the audit log",
  "grant roles",
  "see errors",
  "manage emails",
  "see webhooks",
  "change webhooks",
  "enter during maintenance",
];

const viewers: Record<string, Viewer> = { visitor: null, unconfirmed, member, owner, moderator, administrator };
const cells = Object.keys(permissions).flatMap((action) => Object.keys(viewers).map((who) => [who, action as Action] as const));

test.each(cells.filter(([who]) => who !== "visitor" && !["moderator", "administrator"].includes(who)))(
  "%s, suspended: %s",
  (who, action) => {
    const viewer = { ...(viewers[who] as Member), suspendedUntil: Date.UTC(2026, 11, 3) };
    const allowed = expected[action].split(" ").includes(who) && !closed.includes(action);
    expect(may(viewer, action, "owner")).toBe(allowed);
  },
);

test("covers the whole table", () => {
  expect(Object.keys(expected).sort()).toEqual(Object.keys(permissions).sort());
});

test.each(cells)("%s: %s", (who, action) => {
  const allowed = expected[action].split(" ").includes(who);
  expect(may(viewers[who] ?? null, action, "owner")).toBe(allowed);
});

describe("roles", () => {
  test("ownership takes precedence", () => {
    expect(roleOf({ ...administrator, id: "owner" }, "owner")).toBe("owner");
    expect(roleOf({ ...unconfirmed, id: "owner" }, "owner")).toBe("owner");
  });

  test("nothing is owned without an owner", () => {
    expect(roleOf(member)).toBe("member");
    expect(roleOf(null)).toBe("visitor");
  });
});

describe("requirePermission", () => {
  test("asks a visitor to sign in", () => {
    expect(() => requirePermission(null, "write a story")).toThrow("Please sign in first");
  });

  test("asks an unconfirmed member to confirm", () => {
    expect(() => requirePermission(unconfirmed, "write a story")).toThrow("Please confirm your email address first");
  });

  test("tells a suspended member until when, unless the action is not allowed anyway", () => {
    const suspended = { ...member, suspendedUntil: Date.UTC(2026, 11, 3) };
    expect(() => requirePermission(suspended, "write a story")).toThrow("Your account is suspended until Dec 3, 2026");
    expect(() => requirePermission(suspended, "change settings")).toThrow("You don’t have permission to do this");
  });

  test("answers a member with NotAllowed", () => {
    expect(() => requirePermission(member, "change settings")).toThrow("You don’t have permission to do this");
  });

  test("asks staff to verify again where listed", () => {
    for (const action of Object.keys(permissions) as Action[]) {
      const refusing = () => requirePermission({ ...administrator, isReauthenticated: false }, action);
      if (requiresReauthentication.has(action)) expect(refusing).toThrow(expect.objectContaining({ code: "reauthentication-required" }));
      else if (may(administrator, action)) expect(refusing).not.toThrow();
      if (!may(moderator, action))
        expect(() => requirePermission({ ...moderator, isReauthenticated: false }, action)).toThrow("You don’t have permission to do this");
    }
  });

  test("passes allowed actions", () => {
    expect(() => requirePermission(member, "write a story")).not.toThrow();
    expect(() => requirePermission(administrator, "change settings")).not.toThrow();
  });
});
