import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../tests/support/xss.ts";
import { localPath, refererPath } from "./local-path.ts";

describe("localPath", () => {
  test.each([
    ["/", "/"],
    ["/profile?tab=drafts", "/profile?tab=drafts"],
    ["/post/two-kettles#end", "/post/two-kettles#end"],
    ["/a/../all-posts", "/all-posts"],
  ])("keeps %j", (given, path) => {
    expect(localPath(given)).toBe(path);
  });
  test.each([
    "",
    "profile",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    null,
    undefined,
  ])("replaces %j with the home page", (given) => {
    expect(localPath(given)).toBe("/");
  });
  test("uses the given fallback", () => {
    expect(localPath("//evil.example", "/subscribe")).toBe("/subscribe");
  });
  test("never leaves the site for any input", () => {
    const crafted = fc.stringMatching(/^[/\\\t\n.@:?#a-z]{0,12}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.webUrl(), crafted), (given) => {
        expect(new URL(localPath(given), "https://inkstead.test").origin).toBe("https://inkstead.test");
      }),
    );
  });
});

describe("refererPath", () => {
  const from = (referer: string) =>
    refererPath(new Request("http://localhost:3000/theme", { headers: { referer } }), "https://inkstead.test");
  test("returns a page of this site", () => {
    expect(from("https://inkstead.test/all-posts?q=tide")).toBe("/all-posts?q=tide");
  });
  test.each(["https://evil.example/all-posts", "", "nonsense"])("ignores %j", (referer) => {
    expect(from(referer)).toBe("/");
  });
});
