import { parseXml, type XmlElement } from "@rgrove/parse-xml";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../tests/support/xss.ts";
import { element, xmlDocument } from "./xml.ts";

test("elements, attributes and text", () => {
  const tree = element("a", { href: 'x"&<', none: undefined }, "1 < 2 & 3", element("b"), element("c", { n: 1 }, "]]>"));
  expect(xmlDocument(tree)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<a href="x&quot;&amp;&lt;">1 &lt; 2 &amp; 3<b/><c n="1">]]&gt;</c></a>\n',
  );
});

test("a parser reads any text back, except characters that XML excludes", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 100 }), (text) => {
      const { root } = parseXml(xmlDocument(element("a", {}, `|${text}|`)));
      const expected = text.toWellFormed().replace(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, "");
      expect((root as XmlElement).text).toBe(`|${expected}|`);
    }),
  );
});
