import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findLinks } from "./message-text.tsx";

const links = (text: string) => findLinks(text).flatMap(({ text, href }) => (href ? [[text, href]] : []));

describe("the links of a message", () => {
  test.each([
    ["see https://example.org/a?b=c#d.", "https://example.org/a?b=c#d"],
    ["(https://example.org/wiki/Ink_(story))", "https://example.org/wiki/Ink_(story)"],
    ["“http://example.org/”, she said", "http://example.org/"],
    ["write to mailto:ana@example.org!", "mailto:ana@example.org"],
    ["HTTPS://EXAMPLE.ORG/Path", "https://example.org/Path"],
    ["www.example.org/x, then", "https://www.example.org/x"],
    ["انظر https://example.org/صفحة، ثم", "https://example.org/%D8%B5%D9%81%D8%AD%D8%A9"],
    ["見て https://example.org/。", "https://example.org/"],
    ["http://münchen.example/ü", "http://xn--mnchen-3ya.example/%C3%BC"],
  ])("%s", (text, href) => {
    expect(links(text).map(([, to]) => to)).toEqual([href]);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://example.org",
    "https://",
    "http://nowhere",
    "mailto:nobody",
    "xhttps://example.org",
    "1.5",
  ])("%s is none", (text) => expect(links(text)).toEqual([]));

  test("end at a mark that reverses the writing direction", () => {
    expect(links("https://example.org/\u202egro.live")).toEqual([["https://example.org/", "https://example.org/"]]);
  });

  test.each([
    ["www.example.org/)", "https://www.example.org/"],
    ["(see http://example.org/a_(b)_[c]))].", "http://example.org/a_(b)_[c]"],
    [`http://a.bc/${"?".repeat(300)}x`, `http://a.bc/${"?".repeat(300)}x`],
  ])("%s ends before brackets that opened earlier", (text, href) => {
    expect(links(text).map(([, to]) => to)).toEqual([href]);
  });

  // In quadratic time these would take hours.
  test.each([
    ["closing brackets", ")".repeat(1_000_000)],
    ["brackets of all kinds", ")]}".repeat(300_000)],
  ])("are found in linear time before %s", (_what, ending) => {
    expect(links(`http://a.bc/${ending}`)).toEqual([["http://a.bc/", "http://a.bc/"]]);
  });

  test.each(["http://", "http://////"])("have no host that is longer than a domain name can be: %s", (beginning) => {
    const different = Array.from({ length: 4_980 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join("");
    expect(links(`${beginning}${different}.bc`)).toEqual([]);
  });

  test("keep the text unchanged, and have web or mailto targets only", () =>
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.webUrl(), fc.constantFrom("mailto:a@b.cd", "javascript:", " ", ").", "www."))),
        (parts) => {
          const text = parts.join("");
          const pieces = findLinks(text);
          expect(pieces.map((piece) => piece.text).join("")).toBe(text);
          for (const { href } of pieces) if (href) expect(href).toMatch(/^(https?|mailto):/);
        },
      ),
    ));
});
