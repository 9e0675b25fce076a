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
  "edit a story": "owner admin",
  "delete a story": "owner admin",
  "see a profile": "visitor unconfirmed member owner admin",
  "edit a profile": "owner",
  "like or bookmark": "unconfirmed member owner admin",
  "send a message": "member owner admin",
  "read a conversation": "owner admin",
  "administer the site": "admin",
};

const viewers: Record<string, Viewer> = { visitor: null, unconfirmed, member, owner, admin };
const cells = Object.keys(permissions).flatMap((action) => Object.keys(viewers).map((who) => [who, action as Action] as const));

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

  test("a member is told no", () => {
    expect(() => mustBeAllowed(member, "administer the site")).toThrow("You are not allowed to do this");
  });

  test("who may, passes", () => {
    expect(() => mustBeAllowed(member, "write a story")).not.toThrow();
    expect(() => mustBeAllowed(admin, "administer the site")).not.toThrow();
  });
});
