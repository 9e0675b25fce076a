import { expect, test } from "vitest";
import { closedOf, isRequestFailure, limitMessage } from "./closed.ts";

/** The router's error for a response that it can't read as a page's data. */
const answered = (status: number, data: unknown) => ({ status, statusText: "", internal: false, data });
const refused = (status: number) => answered(status, JSON.stringify({ message: "Please wait", error: "Please wait" }));

test.each([413, 429, 503])("a limit's %s has a message and preserves the form", (status) => {
  expect([limitMessage(refused(status)), isRequestFailure(refused(status))]).toEqual(["Please wait", true]);
  expect(limitMessage(answered(status, { code: "too-many", message: "Please wait" }))).toBe("Please wait");
});

test("other refusals are no limits", () => {
  for (const status of [400, 401, 403, 404])
    expect([limitMessage(refused(status)), isRequestFailure(refused(status))]).toEqual([undefined, false]);
  const closed = answered(503, { code: "maintenance", message: "Back soon" });
  expect([limitMessage(closed), closedOf(closed)?.message]).toEqual([undefined, "Back soon"]);
});

test("other bodies have no message", () => {
  for (const data of ["<html>", "null", "", undefined, 7]) expect(limitMessage(answered(429, data))).toBeUndefined();
  expect(limitMessage(new Error("429"))).toBeUndefined();
});

test("an answer by something other than the application is a request failure", () => {
  const page = "<html><h1>502 Bad Gateway</h1></html>";
  for (const given of [answered(502, page), answered(500, "Internal Server Error"), answered(504, ""), answered(403, page)])
    expect([isRequestFailure(given), limitMessage(given)]).toEqual([true, undefined]);
  expect(isRequestFailure(new Error("Unable to decode turbo-stream response"))).toBe(true);
  expect(isRequestFailure(answered(404, null))).toBe(false);
});
