import fc from "fast-check";

const surrogates = 0x800;
/** Any character, including those beyond two bytes. fast-check's `binary` takes a second to list them. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - surrogates })
  .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + surrogates));

/** Attempts to run or load a script, or to break out of the story's element. */
export const attacks = [
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

/** Allowed elements and attributes, repeated here so that an addition is noticed. */
const elements =
  /^(a|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|input|ins|kbd|li|ol|p|picture|pre|q|rp|rt|ruby|s|samp|section|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var)$/;
const attributes =
  /^(abbr|accept|align|alt|aria-.*|axis|border|cellpadding|cellspacing|char|charoff|checked|cite|class|clear|color|colspan|cols|compact|coords|data-footnote.*|datetime|describedby|dir|disabled|frame|headers|height|href|hreflang|hspace|id|ismap|itemprop|itemscope|itemtype|label|labelledby|lang|loading|longdesc|maxlength|media|multiple|name|nohref|noshade|nowrap|open|prompt|readonly|rel|rev|role|rows|rowspan|rules|scope|selected|shape|size|span|src|srcset|start|summary|tabindex|title|type|usemap|valign|value|vspace|width)$/;

/** Reads the tags of our own serializer, which quotes attributes and escapes `<` in text. */
export function unsafeMarkup(markup: string): string[] {
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
  const url = URL.parse(address.replaceAll("&#x26;", "&"), "https://inkstead.test");
  // Not an address, so it leads nowhere.
  return url === null || ["http:", "https:", "mailto:", "xmpp:", "irc:", "ircs:"].includes(url.protocol);
}
