import { expect, test } from "vitest";
import { htmlToMarkdown } from "./to-markdown.ts";

/** Word's clipboard format: list marks are text inside conditional comments. */
function wordItem(level: number, mark: string, text: string): string {
  const place = ["First", "Middle", "Last"][level % 3];
  return `<p class=MsoListParagraphCxSp${place} style='margin-left:${level / 2}in;mso-add-space:auto;text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span
lang=EN-US style='font-family:Symbol;mso-fareast-font-family:Symbol;mso-bidi-font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span lang=EN-US>${text}<o:p></o:p></span></p>

`;
}

function fromWord(body: string): string {
  return `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head>
<meta name=Generator content="Microsoft Word 15"><style><!-- @list l0 {mso-list-id:1;} p.MsoNormal {margin:0in;} --></style></head>
<body lang=EN-US><!--StartFragment-->${body}<!--EndFragment--></body></html>`;
}

function fromDocs(body: string): string {
  return `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-7f0d1c3a">${body}</b><br class="Apple-interchange-newline">`;
}
const docsText = (text: string, weight = 400) =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;font-weight:${weight};white-space:pre-wrap;">${text}</span>`;
const docsItem = (text: string, level: number, weight?: number) =>
  `<li dir="ltr" style="list-style-type:disc;" aria-level="${level}"><p dir="ltr" style="line-height:1.38;" role="presentation">${docsText(text, weight)}</p></li>`;

test("Word’s bullets and numbers become nested lists", async () => {
  const items = [wordItem(1, "·", "Oil"), wordItem(2, "o", "a <b>full</b> can"), wordItem(1, "·", "Wick")].join("");
  const numbers = [wordItem(1, "1.", "Climb"), wordItem(2, "a.", "slowly"), wordItem(1, "2.", "Light")].join("");
  const markdown = await htmlToMarkdown(fromWord(`<p class=MsoNormal>To do:</p>${items}<p class=MsoNormal>Then:</p>${numbers}`));
  expect(markdown).toBe("To do:\n\n- Oil\n  - a **full** can\n- Wick\n\nThen:\n\n1. Climb\n   1. slowly\n2. Light");
});

test("a list of Google Docs becomes one nested list", async () => {
  const html = `<ul style="margin-top:0;">${docsItem("Oil", 1)}<ul>${docsItem("a full can", 2, 700)}</ul>${docsItem("Wick", 1)}</ul>`;
  expect(await htmlToMarkdown(fromDocs(html))).toBe("- Oil\n  - **a full can**\n- Wick");
});

test("the first row of a table without headings becomes its heading", async () => {
  const cell = (text: string) => `<td style="border:solid #000 1pt;"><p dir="ltr" style="line-height:1.2;">${docsText(text)}</p></td>`;
  const row = (...cells: string[]) => `<tr style="height:0pt">${cells.map(cell).join("")}</tr>`;
  const docs = `<div dir="ltr" align="left"><table style="border:none;"><colgroup><col width="1" /><col width="2" /></colgroup><tbody>${row("Day", "Boats")}${row("Monday", "3")}</tbody></table></div>`;
  const table = "| Day | Boats |\n| - | - |\n| Monday | 3 |";
  const compact = async (html: string) => (await htmlToMarkdown(html)).replaceAll(/ +/g, " ").replaceAll(/-+/g, "-");
  expect(await compact(fromDocs(docs))).toBe(table);
  const word = `<table class=MsoTableGrid border=1><tr><td width=1 valign=top><p class=MsoNormal>Day<o:p></o:p></p></td><td><p class=MsoNormal>Boats</p></td></tr>
 <tr><td><p class=MsoNormal>Monday</p></td><td><p class=MsoNormal>3</p></td></tr></table>`;
  expect(await compact(fromWord(word))).toBe(table);
});
