import { expect, test } from "vitest";
import { emailDocument, emailHtml, emailText, escapeMarkdown, markdownHtml } from "./email-body.ts";

test("Markdown becomes HTML and plain text", () => {
  const source = "Hello,\n\n## Most read\n\n**[Night Bus](https://inkstead.test/post/night-bus)** by Maren\n\n- one\n- two\n";
  expect(markdownHtml(source)).toContain('<a href="https://inkstead.test/post/night-bus">Night Bus</a>');
  expect(emailText(source)).toBe("Hello,\n\nMost read\n\nNight Bus\nhttps://inkstead.test/post/night-bus by Maren\n\n- one\n- two\n");
});

const site = "https://inkstead.test";

test("a bare address becomes one link", () => {
  expect(emailHtml("https://inkstead.test/a?token=b_c_d", site)).toContain('href="https://inkstead.test/a?token=b_c_d"');
  expect(emailHtml("Open https://inkstead.test/a?token=b_c_d now", site)).toContain(">https://inkstead.test/a</a> now");
  expect(emailHtml("Read it here:\n\nhttps://app.example/verify?secret=1\n", site)).toBe(
    '<p>Read it here:</p>\n<p><a href="https://app.example/verify?secret=1">https://app.example/verify</a></p>',
  );
  expect(emailHtml("Contact us: https://inkstead.test/contact.", site)).toContain('<a href="https://inkstead.test/contact">');
  expect(emailText("<https://inkstead.test/a?token=b_c_d>")).toBe("https://inkstead.test/a?token=b_c_d\n");
});

test.each([
  "<img src=x onerror=alert(1)>",
  "[click](javascript:alert(1))",
  "# Not a heading",
  "a *b* _c_ `d` ![e](f)",
  "1. one",
  "www.evil.example",
])("escapes Markdown and HTML in a text: %s", (given) => {
  const html = markdownHtml(escapeMarkdown(given));
  expect(html).not.toMatch(/<(?!\/?p>)/);
  expect(emailText(escapeMarkdown(given))).toBe(`${given}\n`);
});

test.each([
  "[Confirm your account](http:evil.zone)",
  "![a](http:evil.zone)",
  "<https://evil.zone>",
  "Ana https://evil.zone",
  "www.evil.zone",
  "https://inkstead.test.evil.zone/a",
  "https://inkstead.test@evil.zone",
  "**Ana**",
])("plain text is never Markdown: %s", (name) => {
  const html = emailHtml(`Hello ${name},\n\n“${name}”\n`, site);
  expect(html).not.toMatch(/<(?!\/?p>)/);
  expect(html.replaceAll("&lt;", "<").replaceAll("&gt;", ">")).toBe(`<p>Hello ${name},</p>\n<p>“${name}”</p>`);
});

test("lines with dashes are a list", () => {
  expect(emailHtml("Still set up:\n\n- one\n- two", site)).toBe("<p>Still set up:</p>\n<ul><li>one</li><li>two</li></ul>");
});

test("lines stay apart", () => {
  const html = emailHtml("Chrome on Windows\nNov 26, 2026, 8:12 PM UTC\n\nAsk: https://inkstead.test/contact\n", site);
  const link = '<a href="https://inkstead.test/contact">https://inkstead.test/contact</a>';
  expect(html).toBe(`<p>Chrome on Windows<br/>Nov 26, 2026, 8:12 PM UTC</p>\n<p>Ask: ${link}</p>`);
});

test("unescaped HTML is shown as text", () => {
  expect(emailHtml("Hello <script>alert(1)</script> <b>Ana</b>", site)).not.toMatch(/<(script|b)>/);
});

test("the document supports light and dark and loads nothing", () => {
  const html = emailDocument("Night & <Bus>", emailHtml("Hello", site));
  expect(html).toContain("Night &#x26; &#x3C;Bus>");
  expect(html).toContain("prefers-color-scheme: dark");
  expect(html).not.toMatch(/<img|url\(|@import|src=/);
});
