import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../tests/support/xss.ts";
import { renderMarkdown } from "./render.ts";
import { htmlToMarkdown } from "./to-markdown.ts";

const there = async (markdown: string) => (await renderMarkdown(markdown)).html;
const andBack = async (markdown: string) => htmlToMarkdown(await there(markdown));

describe("Markdown of the toolbar survives conversion to HTML and back", () => {
  test.each([
    ["bold", "**ink**"],
    ["italic", "*ink*"],
    ["underline", "<u>ink</u>"],
    ["strikethrough", "~~ink~~"],
    ["bold in italic in underline", "<u>*a **b** c*</u>"],
    ["headings", "# One\n\n## Two\n\n### Three"],
    ["a list", "- a\n- b\n  - c"],
    ["a numbered list", "1. a\n2. b"],
    ["a list of tasks", "- [ ] a\n- [x] b"],
    ["a quotation", "> a\n>\n> b"],
    ["code", "```js\nlet a = `b`;\n```"],
    ["code in a line", "`a < b`"],
    ["a link", "[ink](https://example.com/?a=1)"],
    ["a picture", "![a red door](/files/19dfa1c0000abcdef0/1200.webp)"],
    ["a table", "| a | b |\n| - | - |\n| 1 | 2 |"],
    ["a footnote", "Text.[^1]\n\n[^1]: A note with *signs*."],
    ["a rule", "a\n\n---\n\nb"],
    ["superscript", "E = mc<sup>2</sup>"],
    ["what only looks like Markdown", "1\\. not a list, \\*not italic\\*"],
  ])("%s", async (_, markdown) => {
    expect(await andBack(markdown)).toBe(markdown);
  });

  const word = fc.stringMatching(/^[a-zA-Zäé]{1,8}$/);
  const inline = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      word,
      tie("node").map((text) => `**${text}**`),
      tie("node").map((text) => `<u>${text}</u>`),
      tie("node").map((text) => `~~${text}~~`),
      word.map((text) => `[${text}](https://example.com/${text})`),
      word.map((text) => `\`${text}\``),
    ),
  })).node;
  // A mark nested in the same mark has another meaning.
  const line = fc
    .array(inline, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(" "))
    .filter((text) => !/\*{3}|~{3}/.test(text));
  const block = fc.oneof(
    line,
    line.map((text) => `## ${text}`),
    fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.map((each) => `- ${each}`).join("\n")),
    fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.map((each, index) => `${index + 1}. ${each}`).join("\n")),
    line.map((text) => `> ${text}`),
    word.map((text) => `\`\`\`js\n${text} < 1;\n\`\`\``),
  );

  test("in any combination", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 5 }), async (blocks) => {
        const shown = await there(blocks.join("\n\n"));
        expect(await there(await htmlToMarkdown(shown))).toBe(shown);
      }),
      { numRuns: 200 },
    );
  });
});

describe("pasted HTML", () => {
  test.each([
    [
      "from a word processor",
      '<b style="font-weight:normal"><p><span style="font-weight:700">bold</span> <span style="font-style:italic">it</span></p></b>',
      "**bold** *it*",
    ],
    ["underlined by style", '<p><span style="text-decoration:underline">line</span></p>', "<u>line</u>"],
    [
      "from a page",
      '<h2 class="x">Title</h2><p>Text <a href="https://example.com" onclick="x()">link</a></p>',
      "## Title\n\nText [link](https://example.com)",
    ],
    ["a script", "<p>a</p><script>alert(1)</script><style>p{}</style>", "a"],
    ["a dangerous link", '<p><a href="javascript:alert(1)">x</a></p>', "[x]()"],
  ])("%s", async (_, html, markdown) => {
    expect(await htmlToMarkdown(html)).toBe(markdown);
  });

  test("any HTML becomes text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: fc.constantFrom("<", ">", "b", "p", "/", "a ", '"', "=") })),
        async (html) => {
          expect(typeof (await htmlToMarkdown(html))).toBe("string");
        },
      ),
      { numRuns: 200 },
    );
  });
});
