import { describe, expect, test } from "vitest";
import { type Action, may, mustBeAllowed, permissions, roleOf } from "./permissions.ts";
import type { Member, Viewer } from "./site.ts";

const member: Member = {
  id: "maren",
  name: "Maren",
  email: "m@example.com",
  sessionId: null,
  confirmed: true,
  admin: false,
  suspendedUntil: null,
  profileImage: null,
};
const unconfirmed = { ...member, id: "salma", confirmed: false };
const admin = { ...member, id: "ruth", admin: true };
const owner = { ...member, id: "owner" };

/** The specification once more, so that a slip in the table shows: who is let through, in the table's order. */
const expected: Record<Action, string> = {
  "read a published story": "visitor unconfirmed member owner admin",
  "read a draft": "owner admin",
  "list all stories": "unconfirmed member owner admin",
  "write a story": "member owner admin",
  "keep unfinished work": "unconfirmed member owner admin",
  "edit a story": "owner admin",
  "publish or unpublish a story": "owner admin",
  "delete a story": "owner admin",
  "see a profile": "visitor unconfirmed member owner admin",
  "edit a profile": "owner",
  "like or bookmark": "unconfirmed member owner admin",
  "see reports": "owner admin",
  "upload files": "unconfirmed member owner admin",
  "see uploaded files": "owner admin",
  "see own bookmarks": "owner",
  "follow a member": "unconfirmed member admin",
  "see own follows": "owner",
  "change an account": "owner",
  "take an account's data away": "owner",
  "delete an account": "owner",
  report: "member admin",
  "send a message": "member owner admin",
  "read a conversation": "owner admin",
  "delete a message": "owner admin",
  "block or mute": "unconfirmed member owner admin",
  "read what was decided": "owner admin",
  appeal: "owner",
  "administer the site": "admin",
};

/** What is closed to somebody suspended, whatever they are to the thing in question. */
const closed: Action[] = [
  "write a story",
  "edit a story",
  "publish or unpublish a story",
  "edit a profile",
  "like or bookmark",
  "upload files",
  "follow a member",
  "report",
  "send a message",
  "administer the site",
];

const viewers: Record<string, Viewer> = { visitor: null, unconfirmed, member, owner, admin };
const cells = Object.keys(permissions).flatMap((action) => Object.keys(viewers).map((who) => [who, action as Action] as const));

test.each(cells.filter(([who]) => who !== "visitor" && who !== "admin"))("%s, suspended: %s", (who, action) => {
  const viewer = { ...(viewers[who] as Member), suspendedUntil: Date.UTC(2026, 11, 3) };
  const allowed = expected[action].split(" ").includes(who) && !closed.includes(action);
  expect(may(viewer, action, "owner")).toBe(allowed);
});

test("the expectations cover the table", () => {
  expect(Object.keys(expected).sort()).toEqual(Object.keys(permissions).sort());
});

test.each(cells)("%s: %s", (who, action) => {
  const allowed = expected[action].split(" ").includes(who);
  expect(may(viewers[who] ?? null, action, "owner")).toBe(allowed);
});

describe("roles", () => {
  test("an owner is the owner before anything else", () => {
    expect(roleOf({ ...admin, id: "owner" }, "owner")).toBe("owner");
    expect(roleOf({ ...unconfirmed, id: "owner" }, "owner")).toBe("owner");
  });

  test("nobody owns what has no owner", () => {
    expect(roleOf(member)).toBe("member");
    expect(roleOf(null)).toBe("visitor");
  });
});

describe("refusing", () => {
  test("a visitor is asked to log in", () => {
    expect(() => mustBeAllowed(null, "write a story")).toThrow("Please log in first");
  });

  test("somebody unconfirmed is told what is missing", () => {
    expect(() => mustBeAllowed(unconfirmed, "write a story")).toThrow("Please confirm your email address first");
  });

  test("somebody suspended is told until when, but not where they could do nothing anyway", () => {
    const suspended = { ...member, suspendedUntil: Date.UTC(2026, 11, 3) };
    expect(() => mustBeAllowed(suspended, "write a story")).toThrow("Your account is suspended until Dec 3, 2026");
    expect(() => mustBeAllowed(suspended, "administer the site")).toThrow("You are not allowed to do this");
  });

  test("a member is told no", () => {
    expect(() => mustBeAllowed(member, "administer the site")).toThrow("You are not allowed to do this");
  });

  test("who may, passes", () => {
    expect(() => mustBeAllowed(member, "write a story")).not.toThrow();
    expect(() => mustBeAllowed(admin, "administer the site")).not.toThrow();
  });
});
