import { expect, test } from "vitest";
import { pastedMarkdown } from "./html-to-markdown.ts";

test.each([
  ["paragraphs of a word processor", "<p>One.</p>\n<p>Two.</p>", "One.\r\nTwo.", "One.\n\nTwo."],
  ["paragraphs after an empty one", "<p>Title</p><p><br/></p><p>One.</p><p>Two.</p>", "Title\n\nOne.\nTwo.", "Title\n\nOne.\n\nTwo."],
  ["verse", "<p>One<br>two</p><p>three<br>four</p>", "One\ntwo\n\nthree\nfour", "One\\\ntwo\n\nthree\\\nfour"],
  ["lines of an email", "<div>One.</div><div>Two.</div>", "One.\nTwo.", "One.\n\nTwo."],
  ["formatted text", "<p>One <b>two</b></p>", "One two", "One **two**"],
])("%s: the HTML is converted", async (_, html, text, markdown) => {
  expect(await pastedMarkdown(html, text)).toBe(markdown);
});

test.each([
  ["paragraphs of a page", "<p>One *two*.</p><p>Three.</p>", "One *two*.\n\nThree."],
  ["one paragraph", "<p>One *two*.</p>", "One *two*.\n"],
  ["Markdown of an email", "<div># One</div><div><br></div><div>- two</div><div>- three</div>", "# One\n\n- two\n- three"],
  ["no text", "<p><b> </b></p>", " "],
])("%s: the plain text is pasted", async (_, html, text) => {
  expect(await pastedMarkdown(html, text)).toBeNull();
});

test("formatting of HTML that is too long is not lost in silence", async () => {
  const text = "one ".repeat(250_000);
  expect(await pastedMarkdown(`<p>${text}</p>`, text)).toBeNull();
  await expect(pastedMarkdown(`<p><b>${text}</b></p>`, text)).rejects.toThrow("too long");
});
