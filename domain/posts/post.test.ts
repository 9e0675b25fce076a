import { expect, test } from "vitest";
import { countWords, withoutSigns } from "./post.ts";

test("words are counted without what is only Markdown", () => {
  const markdown =
    "## Two words\n\n- **one**, <u>two</u> [three](https://example.com/four)\n- ![a door](/files/19dfa1c0000abcdef0/1200.webp)\n1. ~~done~~";
  expect(withoutSigns(markdown)).toBe("Two words\n\none, two three\na door\ndone");
  expect(countWords(withoutSigns(markdown))).toBe(8);
});
