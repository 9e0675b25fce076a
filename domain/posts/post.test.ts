import { expect, test } from "vitest";
import { countWords, withoutSigns } from "./post.ts";

test("counts words without Markdown signs", () => {
  const markdown =
    "## Two words\n\n- **one**, <u>two</u> [three](https://example.com/four)\n- ![a door](/files/19dfa1c0000abcdef0/1200.webp)\n1. ~~done~~";
  expect(withoutSigns(markdown)).toBe("Two words\n\none, two three\n\ndone");
  expect(countWords(withoutSigns(markdown))).toBe(6);
});

test("excerpts leave out pictures, also cut off", () => {
  expect(withoutSigns("Right here!\n\n![inner](/files/a/1200.webp)\n\nAnd on![a bo").replaceAll("\n", "")).toBe("Right here!And on");
  expect(withoutSigns("On and on ![boat](/files/a/12")).toBe("On and on ");
  expect(withoutSigns("Ready! [Set](https://example.com) go")).toBe("Ready! Set go");
});
