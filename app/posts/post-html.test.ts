import { expect, test } from "vitest";
import { carriesDropCap, demoteHeadings } from "./post-html.tsx";

test("a first-level heading becomes second-level and looks the same", () => {
  expect(demoteHeadings('<h1 id="md-a">One</h1><h2>Two</h2><p>&#x3C;h1> and h1</p>')).toBe(
    '<h2 class="h1" id="md-a">One</h2><h2>Two</h2><p>&#x3C;h1> and h1</p>',
  );
});

test("only a first paragraph of three lines that begins with a letter has a drop cap", () => {
  const long = "The tide table is a small green book that costs four pounds. ".repeat(5);
  expect(carriesDropCap(`<p>${long}</p><p>Next.</p>`)).toBe(true);
  expect(carriesDropCap(`<p>${long}<em>and</em></p>`)).toBe(true);
  for (const html of [
    `<p>Short.</p><p>${long}</p>`,
    `<p><strong>Bold</strong> ${long}</p>`,
    `<h2>A</h2><p>${long}</p>`,
    `<p>One<br>${long}</p>`,
  ])
    expect(carriesDropCap(html)).toBe(false);
});
