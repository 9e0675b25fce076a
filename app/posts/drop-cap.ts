/** Letters that fill three lines of the reading column beside the big letter, at its widest. */
const shortestBeginning = 150;

/** Whether a story begins with enough plain text for a big first letter: three lines, and neither bold nor a link at its front. */
export function hasRoomForDropCap(html: string): boolean {
  const beginning = /^\s*<p[^>]*>([“"‘'«]?\p{L}[\s\S]*?)<\/p>/u.exec(html)?.[1]?.split(/<br|<img/)[0] ?? "";
  return beginning.replaceAll(/<[^>]*>/g, "").length >= shortestBeginning;
}
