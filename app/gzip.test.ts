import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gzipParts, prepareGzip } from "./gzip.server.ts";

const words = fc.stringMatching(/^[a-d ]{0,40}$/).map((text) => text.repeat(50));
const text = fc.oneof(fc.string({ maxLength: 300, unit: "binary" }), words);
const part = fc.record({ text, prepared: fc.boolean() });

test("all parts, prepared or not, are read back as one text", () =>
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const zipped = gzipParts(parts.map(({ text, prepared }) => (prepared ? prepareGzip : unprepared)(Buffer.from(text))));
      expect(gunzipSync(zipped).toString()).toBe(parts.map(({ text }) => text).join(""));
    }),
  ));

function unprepared(text: Buffer) {
  return { text };
}
