import type { FoundMessages } from "#domain/messages/chat.server.ts";
import type { ConversationPage, FoundPeople, MessagePage } from "#domain/messages/message.ts";

export class RequestRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function fetchJson<Result>(url: string, init?: RequestInit): Promise<Result> {
  const response = await fetch(url, init);
  if (response.ok) return response.json();
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  throw new RequestRefused(response.status, message ?? "");
}

type HistoryRange = { before: number } | { after: number };

export function fetchHistory(partnerId: string, range: HistoryRange | Record<string, never> = {}): Promise<MessagePage> {
  return fetchJson(
    `/messages/${partnerId}/history?${new URLSearchParams(Object.entries(range).map(([name, value]) => [name, String(value)]))}`,
  );
}

export function fetchSearchResults(partnerId: string, search: string, before: number): Promise<FoundMessages> {
  return fetchJson(`/messages/${partnerId}/history?${new URLSearchParams({ search, before: String(before) })}`);
}

export function fetchConversations(after?: string): Promise<ConversationPage> {
  return fetchJson(`/messages/conversations${after ? `?${new URLSearchParams({ after })}` : ""}`);
}

export function fetchPeople(name: string, signal: AbortSignal): Promise<FoundPeople> {
  return fetchJson(`/messages/people?${new URLSearchParams({ q: name })}`, { signal });
}

export type ChatChange = "read" | "delete-message" | "delete-chat" | "block" | "mute";

/** @param from the account that the page was loaded for @param value as `changes` of change-action.ts says */
export function changeChat(from: string, partnerId: string, change: ChatChange, value = ""): Promise<unknown> {
  return fetchJson(`/messages/${partnerId}/change`, { method: "POST", body: new URLSearchParams({ from, change, value }) });
}
