import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gzipParts, joinGzip } from "./gzip-parts.ts";

test("what is joined unpacks to the parts with the piece between them", () => {
  const text = fc.string({ unit: "binary", maxLength: 300 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, (texts, piece) => {
      const { parts } = gzipParts(texts);
      const expected = texts.map((each) => Buffer.from(each)).flatMap((each, index) => (index > 0 ? [Buffer.from(piece), each] : [each]));
      expect(gunzipSync(joinGzip(parts, Buffer.from(piece)))).toEqual(Buffer.concat(expected));
    }),
  );
});

test("of a page it is about as small as gzip itself", () => {
  const page = `<p>${"A paragraph that goes on for a while. ".repeat(300)}</p>`;
  const joined = joinGzip(gzipParts([page, page]).parts, Buffer.from("abc"));
  expect(joined.length).toBeLessThan(page.length / 20);
});

test("the parts of a page are one buffer, which has as many bytes as they say", () => {
  const { parts, bytes } = gzipParts(["a short part", "", "é, and another"]);
  expect(new Set(parts.flatMap(({ plain, deflated }) => [plain.buffer, deflated.buffer])).size).toBe(1);
  expect(parts.map(({ plain }) => Buffer.from(plain).toString())).toEqual(["a short part", "", "é, and another"]);
  const kept = parts.reduce((sum, { plain, deflated }) => sum + plain.length + deflated.length, 0);
  expect([parts[0]?.plain.buffer.byteLength, kept]).toEqual([bytes, bytes]);
});
