import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { scriptHashes } from "./content-policy.ts";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("hashes inline scripts with the nonce, each once", () => {
  const html = `<script nonce="abc=">one()</script><p>…</p><script type="module" nonce="abc=">two()\n</script><script nonce="abc=">one()</script>`;
  expect(scriptHashes(html, "abc=")).toBe(`${hashOf("one()")} ${hashOf("two()\n")}`);
});

test("ignores scripts of a story, data blocks and script files", () => {
  const html = `<script>evil()</script><script nonce="guessed">evil()</script><img alt='<script nonce="x">evil()</script>'>
    <script nonce="abc=" type="application/json">{}</script><script nonce="abc=" src="/assets/a.js"></script>`;
  expect(scriptHashes(html, "abc=")).toBe("");
});
