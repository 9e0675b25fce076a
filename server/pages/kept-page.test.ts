import { expect, test } from "vitest";
import { encodingFor, finish } from "./kept-page.ts";

test("a page holds no more memory than it says", async () => {
  for (const text of ["short", "A paragraph that goes on for a while. ".repeat(3_000)]) {
    const { answers, bytes } = await finish(new Response(text), "nonce", []);
    const held = Object.values(answers).reduce((sum, { body }) => sum + body.buffer.byteLength, 0);
    expect(held).toBe(bytes);
  }
});

test.each([
  [undefined, "identity"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, br;q=0", "gzip"],
  ["br; q=0.0, gzip;q=0.5", "gzip"],
  ["gzip;q=0, br;q=0", "identity"],
  ["br;q=0.1", "br"],
])("who accepts %s gets %s", (accepted, encoding) => expect(encodingFor(accepted)).toBe(encoding));
