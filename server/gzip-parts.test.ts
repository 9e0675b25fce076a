import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gzipPart, joinGzip } from "./gzip-parts.ts";

test("what is joined unpacks to the parts with the piece between them", () => {
  const text = fc.string({ unit: "binary", maxLength: 300 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), text, (texts, piece) => {
      const parts = texts.map((each, index) => gzipPart(Buffer.from(each), index === texts.length - 1));
      const expected = texts.map((each) => Buffer.from(each)).flatMap((each, index) => (index > 0 ? [Buffer.from(piece), each] : [each]));
      expect(gunzipSync(joinGzip(parts, Buffer.from(piece)))).toEqual(Buffer.concat(expected));
    }),
  );
});

test("of a page it is about as small as gzip itself", () => {
  const page = `<p>${"A paragraph that goes on for a while. ".repeat(300)}</p>`;
  const joined = joinGzip([gzipPart(Buffer.from(page), false), gzipPart(Buffer.from(page), true)], Buffer.from("abc"));
  expect(joined.length).toBeLessThan(page.length / 20);
});

test("a part keeps no more memory than it has bytes", () => {
  const { plain, deflated } = gzipPart(Buffer.from("a short part"), false);
  expect([plain, deflated].map(({ buffer }) => buffer.byteLength)).toEqual([plain.length, deflated.length]);
});
