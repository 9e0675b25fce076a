import { expect, test } from "vitest";
import { encodePage } from "./encoded-page.ts";

test("a page holds no more memory than it says", async () => {
  for (const text of ["short", "A paragraph that goes on for a while. ".repeat(3_000)]) {
    const { answers, bytes } = await encodePage(new Response(text), "nonce", []);
    const held = Object.values(answers).reduce((sum, { body }) => sum + body.buffer.byteLength, 0);
    expect(held).toBe(bytes);
  }
});
