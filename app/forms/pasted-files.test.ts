import { expect, test } from "vitest";
import { pastedFiles } from "./pasted-files.ts";

const html = '<p class="MsoNormal">Hello</p>';
const image = '<img src="https://example.com/door.png">';

test.each([
  ["text of an office program", { "text/html": html, "text/plain": "Hello\r\nNote: one" }, 0],
  ["a word of an office program", { "text/html": html, "text/plain": "Hello" }, 0],
  ["an address in an office program", { "text/html": '<a href="https://example.com/">', "text/plain": "https://example.com/" }, 0],
  ["a picture of an office program", { "text/html": html, "text/plain": " \r\n" }, 1],
  ["a picture of a browser", { "text/html": image }, 1],
  ["a picture of a browser, with its address", { "text/html": image, "text/plain": "https://example.com/door.png" }, 1],
  ["a file of a file manager, with its name", { "text/plain": "door.png" }, 1],
  ["a screenshot", {}, 1],
])("%s", (_, texts: Record<string, string>, count) => {
  const data = { getData: (type: string) => texts[type] ?? "", files: [new File([], "image.png")] };
  expect(pastedFiles(data as unknown as DataTransfer)).toHaveLength(count);
});
