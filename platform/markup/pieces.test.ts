import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { piecesOf } from "./pieces.ts";
import { renderMarkdown } from "./render.ts";

/** Whatever begins, continues or ends something in Markdown. */
const fragments = [
  ...["\n", "\n\n", "\n\n\n", " ", "  ", "    ", "\t", "\u00a0", "\u2028", "\\"],
  ...["Words ", "a word\n\nAnother", "# Title", "### Low", "===", "---", "***", "* ", "- ", "1. ", "2. ", "+ ", "- [ ] ", "> ", ">> "],
  ...[
    "```",
    "````",
    "~~~",
    "```js",
    "`",
    "``",
    "| a | b |\n| - | - |\n",
    "| c |",
    "**",
    "_",
    "~~",
    "[",
    "]",
    "](",
    "(/a)",
    "![",
    "!",
    "&amp;",
  ],
  ...["[a]: /b", "[a]", "[^1]", "[^1]: Note", "<b>", "</b>", "<!--", "-->", "<div>", "<", "\r\n", "https://example.com ", "É", "“"],
];

const pieced = (text: string) => renderMarkdown(text, piecesOf(text, 0));
const whole = (text: string) => renderMarkdown(text, [text]);

describe("rendered piece by piece, a text is what it is as a whole", () => {
  test("whatever it is made of", async () => {
    const text = fc.array(fc.constantFrom(...fragments), { maxLength: 24 }).map((some) => some.join(""));
    const chapters = fc.array(text, { minLength: 1, maxLength: 4 }).map((some) => some.join("\n\nOn a new line, "));
    await fc.assert(
      fc.asyncProperty(chapters, async (markdown) => {
        expect(await pieced(markdown)).toEqual(await whole(markdown));
      }),
      { numRuns: 1_500 },
    );
  });

  test.each([
    ["a list before a heading", "- one\n\n  more\n\n# Title\n\n1. first\n\n2. second\n\nEnd"],
    ["code that looks like a heading", "```\na\n\n# not a title\n\nNot a paragraph\n```\n\nA paragraph"],
    ["code that is never closed", "Begin\n\n```\n\n# code\n\nStill code"],
    ["code within a list", "- one\n\n  ```\n  a\n\n# Title\n\nWords\n\n  ```\n\nMore"],
  ])("%s", async (_, markdown) => expect(await pieced(markdown)).toEqual(await whole(markdown)));
});

test("a long text has several pieces, and all but one stay the same when a word is added", () => {
  const text = `## Chapter\n\n${"A paragraph of some length that goes on and on.\n\n".repeat(30)}`.repeat(20);
  const before = piecesOf(text);
  expect(before.length).toBeGreaterThan(10);
  expect(before.join("\n")).toBe(text);
  const after = piecesOf(text.replace("some length", "some considerable length"));
  expect(after.filter((piece) => !before.includes(piece)).length).toBeLessThan(5);
});

test.each(["a [link][a]\n\n[a]: /b", "a note[^1]\n\n[^1]: here", "<details>\n\nWords\n\n</details>", "a\r\n\r\nb"])(
  "%j has something that reaches across, and is one piece",
  (text) => {
    const long = `${"Words and words.\n\n".repeat(300)}${text}`;
    expect(piecesOf(long)).toEqual([long]);
  },
);
