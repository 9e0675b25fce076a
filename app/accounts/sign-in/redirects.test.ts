import fc from "fast-check";
import { expect, test } from "vitest";
import { safePath } from "./redirects.ts";

test.each(["/", "/add-post", "/post/night-bus?tab=1#end", "/all-posts?q=a%20lamp", "/login-stories"])("keeps %s", (path) => {
  expect(safePath(path)).toBe(path);
});

test.each([
  null,
  "",
  "evil.example",
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "/%2e%2e//evil.example",
  "/./\\evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "data:text/html,hello",
])("replaces %j with the home page", (path) => {
  expect(safePath(path)).toBe("/");
});

test.each(["/login", "/login?then=/login", "/signup", "/logout", "/forgot-password", "/reset-password?token=a"])(
  "replaces %s, which would loop back to signing in",
  (path) => {
    expect(safePath(path)).toBe("/");
  },
);

test("no input leads to another site", () => {
  const piece = fc.constantFrom("/", "\\", ".", "..", "evil.example", "@", ":", "%2f", "%5c", "\t", "\n", " ", "?", "#", "http:");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const url = new URL(safePath(pieces.join("")), "http://inkstead.test");
      return url.origin === "http://inkstead.test";
    }),
    { numRuns: 5000 },
  );
});
