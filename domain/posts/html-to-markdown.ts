import { htmlToMarkdown } from "#platform/markup/to-markdown.ts";

const meaning = /<(strong|b|em|i|u|s|del|strike|a|h[1-6]|li|blockquote|pre|code|table|img|span)\b/i;
const maxHtmlLength = 1_000_000;

/**
 * Markdown of pasted HTML; null if the HTML adds nothing to its plain text. Import it dynamically, as it is large.
 * @throws if the HTML is too long to be converted.
 */
export async function pastedMarkdown(html: string, text: string): Promise<string | null> {
  if (!meaning.test(html) && !joinsLines(html, text)) return null;
  if (html.length > maxHtmlLength) throw new Error("the HTML is too long");
  const markdown = await htmlToMarkdown(html);
  return markdown === "" ? null : markdown;
}

/** Whether the plain text separates paragraphs or lines of the HTML by single line breaks, which Markdown joins. */
function joinsLines(html: string, text: string): boolean {
  if (!/\S[^\S\n]*\n[^\S\n]*\S/.test(text)) return false;
  // With blank lines, a `div` for each line may as well be copied Markdown.
  return /<p\b|[^>]<br\b/i.test(html) || (/<div\b/i.test(html) && !/\n\s*\n/.test(text.trim()));
}
