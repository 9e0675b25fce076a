import { htmlToMarkdown } from "#platform/markup/to-markdown.ts";

const meaning = /<(strong|b|em|i|u|s|del|strike|a|h[1-6]|li|blockquote|pre|code|table|img|span)\b/i;

/**
 * What was copied from a page or a word processor, as Markdown; null when its HTML says no more than its plain text, which
 * then stays as it is. Heavy: load it when someone pastes.
 */
export async function pastedMarkdown(html: string): Promise<string | null> {
  if (!meaning.test(html) || html.length > 1_000_000) return null;
  const markdown = await htmlToMarkdown(html);
  return markdown === "" ? null : markdown;
}
