import { fetchJson } from "#app/browser/fetch-json.ts";
import type { FoundMessages } from "#domain/messages/chat.server.ts";
import type { ConversationPage, MessagePage } from "#domain/messages/message.ts";

type HistoryRange = { before: number } | { after: number };

/** `from`, here and below: the account that the page was loaded for. For another one, the server answers 401. */
export function fetchHistory(from: string, partnerId: string, range: HistoryRange | Record<string, never> = {}): Promise<MessagePage> {
  return fetchJson(`/messages/${partnerId}/history?${query({ ...range, from })}`);
}

/** Goes on while nothing is found. */
export async function fetchSearchResults(from: string, partnerId: string, q: string, before: number, parts = 10): Promise<FoundMessages> {
  const found = await fetchJson<FoundMessages>(`/messages/${partnerId}/history?${query({ q, before, from })}`);
  const { messages, next } = found;
  return messages.length || !next || parts < 2 ? found : fetchSearchResults(from, partnerId, q, next, parts - 1);
}

export function fetchConversations(from: string, after = ""): Promise<ConversationPage> {
  return fetchJson(`/messages/conversations?${query({ after, from })}`);
}

export function fetchUnread(from: string): Promise<unknown> {
  return fetchJson(`/messages/unread?${query({ from })}`);
}

function query(fields: Record<string, string | number>): string {
  return new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
}

export type ChatChange = "read" | "delete-message" | "delete-chat" | "block" | "mute";

/** @param value as `changes` of change-action.ts says */
export function changeChat(from: string, partnerId: string, change: ChatChange, value = ""): Promise<unknown> {
  return fetchJson(`/messages/${partnerId}/change`, { method: "POST", body: new URLSearchParams({ from, change, value }) });
}
