import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter, attacks, unsafeMarkup } from "../../tests/support/xss.ts";
import { renderMarkdown, sanitizeHtml } from "./render.ts";

const html = async (markdown: string) => (await renderMarkdown(markdown)).html;

describe("sanitized HTML", () => {
  test.each(attacks)("%s", async (attack) => {
    for (const markdown of [attack, `> ${attack}`, `Text before ${attack} and after.`, `* ${attack}\n\n| ${attack} |\n| - |\n`]) {
      expect(unsafeMarkup(await html(markdown))).toEqual([]);
    }
  });

  test("the check above detects unsafe HTML", () => {
    const bad = ["<script>", '<a href="javascript:x">', '<p style="x">', '<p onclick="x">', '<h2 id="top">', "<p <img>", "<iframe>"];
    expect(bad.filter((markup) => unsafeMarkup(markup).length === 0)).toEqual([]);
    expect(unsafeMarkup('<p><a href="https://example.com/?a=1&#x26;b=2" rel="nofollow">x</a> &#x3C;script></p>')).toEqual([]);
  });

  test("form attributes are removed from Markdown too", async () => {
    expect(await html('<p action="/logout" method="post" accesskey="s">Ink</p>')).toBe("<p>Ink</p>");
  });

  test("for any text", async () => {
    const piece = fc.oneof(
      fc.constantFrom(...attacks),
      fc.string(),
      fc.constantFrom("\n", "\n\n", "> ", "    ", "* ", "`", "```\n", "|", "[", "](", "<", "&", '"'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        expect(unsafeMarkup(await html(pieces.join("")))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

test("any string can be rendered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: "grapheme" })), async (text) => {
      const rendered = await renderMarkdown(text);
      expect([typeof rendered.html, typeof rendered.text]).toEqual(["string", "string"]);
    }),
    { numRuns: 300 },
  );
});

describe("Markdown of the toolbar is kept", () => {
  test.each([
    ["bold", "**ink**", "<p><strong>ink</strong></p>"],
    ["italic", "*ink*", "<p><em>ink</em></p>"],
    ["underline", "<u>ink</u>", "<p><u>ink</u></p>"],
    ["strikethrough", "~~ink~~", "<p><del>ink</del></p>"],
    ["a heading", "# Ink", "<h1>Ink</h1>"],
    ["a smaller heading", "### Ink", "<h3>Ink</h3>"],
    ["a quotation", "> ink", "<blockquote>\n<p>ink</p>\n</blockquote>"],
    ["a list", "- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"],
    ["a numbered list", "1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"],
    ["code in a line", "`a < b`", "<p><code>a &#x3C; b</code></p>"],
    ["a line", "---", "<hr>"],
    ["a link here", "[ink](/post/ink)", '<p><a href="/post/ink">ink</a></p>'],
    ["a link out", "[ink](https://example.com)", '<p><a href="https://example.com" rel="nofollow noopener ugc">ink</a></p>'],
    ["a picture", "![ink](https://example.com/i.png)", '<p><img src="https://example.com/i.png" alt="ink" loading="lazy"></p>'],
  ])("%s", async (_, markdown, expected) => {
    expect(await html(markdown)).toBe(expected);
  });

  test("a table", async () => {
    expect(await html("| a | b |\n| - | -: |\n| 1 | 2 |")).toMatch(
      /<table>[\s\S]*<th align="right">b<\/th>[\s\S]*<td>1<\/td>[\s\S]*<\/table>/,
    );
  });

  test("a task list with disabled checkboxes", async () => {
    expect(await html("- [x] done\n- [ ] open")).toMatch(/<input type="checkbox" checked disabled>[\s\S]*<input type="checkbox" disabled>/);
  });

  test("code with its language, highlighted", async () => {
    expect(await html("```js\nconst ink = 1;\n```")).toContain('<span class="hljs-keyword">const</span>');
    expect(await html("```nosuchlanguage\nconst\n```")).toContain('language-nosuchlanguage">const');
  });

  test("a footnote with its backlink", async () => {
    const page = await html("Ink[^1].\n\n[^1]: Made of galls.");
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets).toHaveLength(2);
    for (const id of targets) expect(page).toContain(`id="${id}"`);
  });
});

describe("posted HTML", () => {
  const clean = async (text: string) => (await sanitizeHtml(text)).html;

  test.each(attacks)("can't hold more than a story: %s", async (attack) => {
    for (const text of [attack, `<p>${attack}</p>`, `<ul><li>${attack}</ul>`, `<table><tr><td>${attack}`])
      expect(unsafeMarkup(await clean(text))).toEqual([]);
  });

  test("is not parsed as Markdown", async () => {
    const text = "<p>2 * 3 * 4 = _24_</p>\n\n    <p>Indented.</p><pre><code>a\n\n# b\n</code></pre>";
    expect(await clean(text)).toBe(text);
  });

  test("is sanitized and otherwise unchanged", async () => {
    expect(await clean('<h2 id="a" style="x">Part</h2><p onclick="x">One<script>x</script></p><center>Two</center>')).toBe(
      '<h2 id="md-a">Part</h2><p>One</p>Two',
    );
  });

  test.each([
    ["<a <form action=/logout method=post><button>Win</button></form>", "<a>Win</a>"],
    ['<p accesskey="s" enctype="x" accept-charset="x" charset="x"><b for="x">Ink</b></p>', "<p><b>Ink</b></p>"],
  ])("loses the attributes of forms, and keys of its own: %s", async (given, kept) => {
    expect(await clean(given)).toBe(kept);
  });

  test("is unchanged if it comes from this site", async () => {
    const piece = fc.constantFrom(
      ...["# Part\n\n", "Some *words* & <u>more</u>.\n\n", "Ink[^1].\n\n[^1]: Made of galls.\n\n", "- [x] done\n- two\n\n", "> quoted\n\n"],
      ...[
        "```js\nlet a;\n```\n\n",
        "```\n<b>\n```\n\n",
        "| a | b |\n| - | -: |\n| 1 | 2 |\n\n",
        "[out](https://example.com)\n\n",
        "---\n\n",
      ],
      ...['<h2 id="top">Top</h2>\n\n', '<a href="#top">to the top</a>\n\n', "![a](/files/abc.webp)\n\n"],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const rendered = await renderMarkdown(pieces.join(""));
        expect(await sanitizeHtml(rendered.html)).toEqual(rendered);
      }),
      { numRuns: 100 },
    );
  });

  test("for any text", async () => {
    const piece = fc.oneof(fc.constantFrom(...attacks), fc.string(), fc.constantFrom("<p>", "</p>", "<li>", "<table>", "&lt;", "<!--"));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        expect(unsafeMarkup(await clean(pieces.join("")))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("plain text", () => {
  const textOf = async (markdown: string) => (await renderMarkdown(markdown)).text;

  test("has a line per block and no markup", async () => {
    expect(await textOf("# Ink\n\nMade of *galls* &amp; **iron**.\n\n- one\n- two")).toBe("Ink\nMade of galls & iron.\none\ntwo");
  });

  test("separates the words of table cells", async () => {
    expect(await textOf("| a | b |\n| - | - |\n| 1 | 2 |")).toMatch(/a\s+b\s+1\s+2/);
  });

  test("has nothing of removed elements", async () => {
    expect(await textOf("before <script>alert(1)</script><style>p{}</style> after")).toBe("before  after");
  });

  test("of an empty story is empty", async () => {
    expect(await renderMarkdown(" \n\n ")).toEqual({ html: "", text: "" });
  });
});
