/** What someone has typed to someone and not sent, kept in this browser over reloads and signing in again. */
const keyOf = (viewerId: string, partnerId: string) => `inkstead:message:${viewerId}:${partnerId}`;

export function readDraft(viewerId: string, partnerId: string): string {
  try {
    return localStorage.getItem(keyOf(viewerId, partnerId)) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(viewerId: string, partnerId: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(keyOf(viewerId, partnerId));
    else localStorage.setItem(keyOf(viewerId, partnerId), text);
  } catch {} // No room, or no leave: the text stays on the page.
}
