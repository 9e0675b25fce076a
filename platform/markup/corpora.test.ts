import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attacks, unsafeMarkup } from "../../tests/support/xss.ts";
import { renderMarkdown } from "./render.ts";
import { htmlToMarkdown } from "./to-markdown.ts";

/** The Big List of Naughty Strings, half of which are known script injections. */
const naughty = createRequire(import.meta.url)("big-list-of-naughty-strings/blns.json") as string[];

const html = async (markdown: string) => (await renderMarkdown(markdown)).html;
const ways: Record<string, (text: string) => string> = {
  "as the text": (text) => text,
  "in a line": (text) => `Before ${text} after.`,
  "in a quotation in a list": (text) => `- > ${text}`,
  "in a table": (text) => `| a |\n| - |\n| ${text} |`,
  "as a link's address": (text) => `[a](${text}) [b](<${text}>) ![c](${text})`,
  "as a link's title": (text) => `[a](https://example.com "${text}")`,
  "as an attribute": (text) => `<a href="${text}" title='${text}'>a</a> <img src="${text}">`,
  "as a footnote": (text) => `a[^1]\n\n[^1]: ${text}`,
  "as a language": (text) => `\`\`\`${text}\nlet a;\n\`\`\``,
};

test("the list is complete", () => {
  expect(naughty.length).toBeGreaterThan(400);
  expect(naughty.filter((text) => /script|onerror|javascript:/i.test(text)).length).toBeGreaterThan(150);
});

describe.each(Object.entries(ways))("%s", (_, wrap) => {
  test("no string of the lists leaves scripts or requests to other sites", async () => {
    const found: string[] = [];
    for (const text of [...naughty, ...attacks])
      found.push(...unsafeMarkup(await html(wrap(text))).map((problem) => `${problem} of ${text}`));
    expect(found).toEqual([]);
  });
});

test("nor does pasted or posted HTML, converted to Markdown and rendered", async () => {
  const found: string[] = [];
  for (const text of [...naughty, ...attacks])
    found.push(...unsafeMarkup(await html(await htmlToMarkdown(text))).map((problem) => `${problem} of ${text}`));
  expect(found).toEqual([]);
});

test("nor do pieces of them in any order", async () => {
  const pieces = [...attacks, ...naughty].flatMap((text) => text.match(/<[^>]*>?|[^<]{1,12}/g) ?? []);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), async (some) => {
      const text = some.join("");
      expect(unsafeMarkup(await html(text))).toEqual([]);
      expect(unsafeMarkup(await html(await htmlToMarkdown(text)))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
