import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "./render.ts";

const html = async (markdown: string) => (await renderMarkdown(markdown)).html;

/** Each tries to run a script, to load something that can, or to reach out of the story into the page. */
const attacks = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<script/x>alert(1)</script>",
  "<svg><script>alert(1)</script></svg>",
  "<svg onload=alert(1)>",
  '<svg><a xlink:href="javascript:alert(1)"><text y=20>x</text></a></svg>',
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  "<svg><foreignObject><iframe srcdoc='<script>alert(1)</script>'></iframe></foreignObject></svg>",
  '<math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=alert(1) src>">',
  "<math href='javascript:alert(1)'>x</math>",
  "<img src=x onerror=alert(1)>",
  "<img/src=x/onerror=alert(1)>",
  '<img src="x" onerror="alert(1)" onload=alert(1)>',
  "<IMG SRC=JaVaScRiPt:alert(1)>",
  "<img src=data:text/html,<script>alert(1)</script>>",
  '<img srcset="javascript:alert(1) 1x">',
  "<img src='vbscript:msgbox(1)'>",
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JAVASCRIPT&colon;alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;&#97;&#118;&#97;script:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="vbscript:alert(1)">x</a>',
  '<a onmouseover="alert(1)" onfocus=alert(1) autofocus tabindex=1>x</a>',
  '<a href="x" style="position:fixed;inset:0">cover</a>',
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java\tscript:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](<javascript:alert(1)>)",
  "![x](javascript:alert(1))",
  '![x"onerror="alert(1)](x)',
  '![x](x "onerror=alert(1)")',
  '[x](https://example.com "onmouseover=alert(1)")',
  "[x]: javascript:alert(1)\n\n[x]",
  "<javascript:alert(1)>",
  "```<script>alert(1)</script>\n```",
  '```js"onload=alert(1)\nlet x\n```',
  "`<script>alert(1)</script>`",
  "<iframe src=javascript:alert(1)></iframe>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<object data=javascript:alert(1)></object>",
  "<embed src=//evil.example/x.swf>",
  "<form action=javascript:alert(1)><input type=submit></form>",
  "<form action=/logout method=post><button>Win</button></form>",
  "<button formaction=javascript:alert(1)>x</button>",
  "<input autofocus onfocus=alert(1)>",
  "<isindex action=javascript:alert(1) type=submit>",
  "<textarea onfocus=alert(1) autofocus>",
  "<select onchange=alert(1)><option>x</select>",
  "<details open ontoggle=alert(1)>x</details>",
  "<video><source onerror=alert(1)></video>",
  "<video poster=javascript:alert(1)></video>",
  "<audio src=x onerror=alert(1)>",
  "<body onload=alert(1)>",
  "<html onclick=alert(1)>",
  "<base href=//evil.example/>",
  "<link rel=stylesheet href=//evil.example/x.css>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<style>@import '//evil.example/x.css'; body{display:none}</style>",
  "<p style='background:url(javascript:alert(1))'>x</p>",
  "<div style=width:expression(alert(1))>x</div>",
  "<table background=javascript:alert(1)><td background='javascript:alert(1)'>x</table>",
  "<marquee onstart=alert(1)>x</marquee>",
  "<template><script>alert(1)</script></template>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
  "<!--><script>alert(1)</script>-->",
  "<!-- --!><img src=x onerror=alert(1)> -->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml version='1.0'?><script>alert(1)</script>",
  "<xmp><script>alert(1)</script></xmp>",
  "<plaintext><script>alert(1)</script>",
  "<title></title><img src=x onerror=alert(1)>",
  "<dialog open><form method=dialog><button>x</button></form></dialog>",
  "<a href='https://example.com' target=_blank rel=opener ping=//evil.example>x</a>",
  "<x onclick=alert(1)>custom</x>",
  '<img name="getElementById"><form id="createElement"></form>',
  "<u onclick=alert(1)>underlined</u>",
  "<b\x00><img src=x onerror=alert(1)>",
];

/** Names of elements and attributes that a story may hold; written down here so that a wider list is noticed. */
const elements =
  /^(a|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|input|ins|kbd|li|ol|p|picture|pre|q|rp|rt|ruby|s|samp|section|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var)$/;
const attributes =
  /^(abbr|accept|align|alt|aria-.*|axis|border|cellpadding|cellspacing|char|charoff|checked|cite|class|clear|color|colspan|cols|compact|coords|data-footnote.*|datetime|describedby|dir|disabled|frame|headers|height|href|hreflang|hspace|id|ismap|itemprop|itemscope|itemtype|label|labelledby|lang|loading|longdesc|maxlength|media|multiple|name|nohref|noshade|nowrap|open|prompt|readonly|rel|rev|role|rows|rowspan|rules|scope|selected|shape|size|span|src|srcset|start|summary|tabindex|title|type|usemap|valign|value|vspace|width)$/;

/** Reads the tags of what our own serialiser wrote: it quotes every attribute and escapes every `<` of a text. */
function problemsOf(markup: string): string[] {
  const problems: string[] = [];
  const text = markup.replace(
    /<(\/?)([a-z][a-z0-9-]*)((?:\s+[a-z][a-z0-9-]*(?:="[^"]*")?)*)>/g,
    (_, _end, element: string, rest: string) => {
      if (!elements.test(element)) problems.push(`element ${element}`);
      for (const [, attribute = "", value = ""] of rest.matchAll(/\s+([a-z][a-z0-9-]*)(?:="([^"]*)")?/g)) {
        if (!attributes.test(attribute)) problems.push(`attribute ${attribute}`);
        if (/^(href|src|cite|longdesc|srcset)$/.test(attribute) && !isHarmless(value)) problems.push(`${attribute}=${value}`);
        if (/^(id|name)$/.test(attribute) && !value.startsWith("md-")) problems.push(`${attribute}=${value}`);
      }
      return "";
    },
  );
  if (text.includes("<")) problems.push(`unread markup: ${text.slice(text.indexOf("<"), text.indexOf("<") + 60)}`);
  return problems;
}

function isHarmless(address: string): boolean {
  const { protocol } = new URL(address.replaceAll("&#x26;", "&"), "https://inkstead.test");
  return ["http:", "https:", "mailto:", "xmpp:", "irc:", "ircs:"].includes(protocol);
}

describe("a story can't hold more than a story", () => {
  test.each(attacks)("%s", async (attack) => {
    for (const markdown of [attack, `> ${attack}`, `Text before ${attack} and after.`, `* ${attack}\n\n| ${attack} |\n| - |\n`]) {
      expect(problemsOf(await html(markdown))).toEqual([]);
    }
  });

  test("the reading above would notice", () => {
    const bad = ["<script>", '<a href="javascript:x">', '<p style="x">', '<p onclick="x">', '<h2 id="top">', "<p <img>", "<iframe>"];
    expect(bad.filter((markup) => problemsOf(markup).length === 0)).toEqual([]);
    expect(problemsOf('<p><a href="https://example.com/?a=1&#x26;b=2" rel="nofollow">x</a> &#x3C;script></p>')).toEqual([]);
  });

  test("whatever the text is", async () => {
    const piece = fc.oneof(
      fc.constantFrom(...attacks),
      fc.string(),
      fc.constantFrom("\n", "\n\n", "> ", "    ", "* ", "`", "```\n", "|", "[", "](", "<", "&", '"'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        expect(problemsOf(await html(pieces.join("")))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

test("any string at all can be rendered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })), async (text) => {
      const rendered = await renderMarkdown(text);
      expect([typeof rendered.html, typeof rendered.text]).toEqual(["string", "string"]);
    }),
    { numRuns: 300 },
  );
});

describe("what the toolbar writes survives", () => {
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

  test("a list of tasks, which nobody can tick", async () => {
    expect(await html("- [x] done\n- [ ] open")).toMatch(/<input type="checkbox" checked disabled>[\s\S]*<input type="checkbox" disabled>/);
  });

  test("code with its language, in colours", async () => {
    expect(await html("```js\nconst ink = 1;\n```")).toContain('<span class="hljs-keyword">const</span>');
    expect(await html("```nosuchlanguage\nconst\n```")).toContain('language-nosuchlanguage">const');
  });

  test("a footnote and the way back", async () => {
    const page = await html("Ink[^1].\n\n[^1]: Made of galls.");
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets).toHaveLength(2);
    for (const id of targets) expect(page).toContain(`id="${id}"`);
  });
});

describe("the text without tags", () => {
  const textOf = async (markdown: string) => (await renderMarkdown(markdown)).text;

  test("has a line per block and no markup", async () => {
    expect(await textOf("# Ink\n\nMade of *galls* &amp; **iron**.\n\n- one\n- two")).toBe("Ink\nMade of galls & iron.\none\ntwo");
  });

  test("keeps the words of a table apart", async () => {
    expect(await textOf("| a | b |\n| - | - |\n| 1 | 2 |")).toMatch(/a\s+b\s+1\s+2/);
  });

  test("has nothing of what was taken out", async () => {
    expect(await textOf("before <script>alert(1)</script><style>p{}</style> after")).toBe("before  after");
  });

  test("of an empty story is empty", async () => {
    expect(await renderMarkdown(" \n\n ")).toEqual({ html: "", text: "" });
  });
});
