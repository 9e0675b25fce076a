import { expect, test } from "vitest";
import { hasRoomForDropCap } from "./drop-cap.ts";

const long = "It had been raining for a week. ".repeat(8);

test.each([
  ["three lines", `<p>${long}</p><p>More.</p>`, true],
  ["a quotation mark first", `<p dir="auto">“${long}</p>`, true],
  ["links further on", `<p>${long}<a href="/x">there</a></p>`, true],
  ["one line", "<p>It rained.</p><p>More.</p>", false],
  ["two lines", `<p>${long.slice(0, 125)}</p>`, false],
  ["markup counted as text", `<p>It <a href="${"x".repeat(300)}">rained</a>.</p>`, false],
  ["a bold first word", `<p><strong>It</strong> ${long}</p>`, false],
  ["a broken line", `<p>It rained.<br>${long}</p>`, false],
  ["a heading first", `<h2>Rain</h2><p>${long}</p>`, false],
  ["no text", "", false],
])("a beginning with %s", (_what, html, has) => {
  expect(hasRoomForDropCap(html)).toBe(has);
});
