import { expect, test } from "vitest";
import { encodePage } from "./encoded-page.ts";

test("`bytes` is the memory that an encoded page takes", async () => {
  for (const text of ["short", "A paragraph that goes on for a while. ".repeat(3_000)]) {
    const { encodings, bytes } = await encodePage(new Response(text), "nonce", []);
    const held = Object.values(encodings).reduce((sum, { body }) => sum + body.buffer.byteLength, 0);
    expect(held).toBe(bytes);
  }
});
