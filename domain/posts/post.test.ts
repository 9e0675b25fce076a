import { expect, test } from "vitest";
import { countWords, stripMarkdown } from "./post.ts";

test("counts words without Markdown signs", () => {
  const markdown =
    "## Two words\n\n- **one**, <u>two</u> [three](https://example.com/four)\n- ![a door](/files/19dfa1c0000abcdef0/1200.webp)\n1. ~~done~~";
  expect(stripMarkdown(markdown)).toBe("Two words\n\none, two three\n\ndone");
  expect(countWords(stripMarkdown(markdown))).toBe(6);
});

test("excerpts leave out pictures, also cut off", () => {
  expect(stripMarkdown("Right here!\n\n![inner](/files/a/1200.webp)\n\nAnd on![a bo").replaceAll("\n", "")).toBe("Right here!And on");
  expect(stripMarkdown("On and on ![boat](/files/a/12")).toBe("On and on ");
  expect(stripMarkdown("Ready! [Set](https://example.com) go")).toBe("Ready! Set go");
});
