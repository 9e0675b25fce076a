import { htmlToMarkdown } from "#platform/markup/to-markdown.ts";

const meaning = /<(strong|b|em|i|u|s|del|strike|a|h[1-6]|li|blockquote|pre|code|table|img|span)\b/i;

/** Markdown of pasted HTML; null if the HTML has no formatting. Import it dynamically, as it is large. */
export async function pastedMarkdown(html: string): Promise<string | null> {
  if (!meaning.test(html) || html.length > 1_000_000) return null;
  const markdown = await htmlToMarkdown(html);
  return markdown === "" ? null : markdown;
}
