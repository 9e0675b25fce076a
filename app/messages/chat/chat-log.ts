import type { Message, MessagePage } from "#domain/messages/message.ts";

/**
 * The loaded part of a chat, without gaps up to `seen` except deleted messages. This browser's own messages may be beyond `seen` until
 * those between are fetched.
 */
export type ChatLog = {
  /** Sorted by number, ascending. */
  messages: Message[];
  seen: number;
  more: boolean;
  partnerRead: number;
  /** Deleted: a response that was under way must not restore them. */
  deleted: ReadonlySet<number>;
  deletedUpTo: number;
};

export function createLog({ messages, more, partnerRead, lastNumber }: MessagePage): ChatLog {
  return { messages, more, partnerRead, deleted: new Set(), deletedUpTo: 0, seen: Math.max(lastNumber, messages.at(-1)?.number ?? 0) };
}

export function addNewer(log: ChatLog, page: MessagePage): ChatLog {
  const last = page.more ? (page.messages.at(-1)?.number ?? log.seen) : page.lastNumber;
  const messages = merge(log, page.messages);
  return { ...log, messages, seen: Math.max(log.seen, last), partnerRead: Math.max(log.partnerRead, page.partnerRead) };
}

export function addOlder(log: ChatLog, page: MessagePage): ChatLog {
  return { ...log, messages: merge(log, page.messages), more: page.more };
}

export function addNext(log: ChatLog, message: Message): ChatLog {
  const seen = message.number === log.seen + 1 ? message.number : log.seen;
  return { ...log, messages: merge(log, [message]), seen };
}

export function removeOne(log: ChatLog, number: number): ChatLog {
  return { ...log, messages: log.messages.filter((message) => message.number !== number), deleted: new Set(log.deleted).add(number) };
}

export function removeUpTo(log: ChatLog, number: number): ChatLog {
  return { ...log, messages: log.messages.filter((message) => message.number > number), more: false, deletedUpTo: number };
}

/** The position never decreases. */
export function readUpTo(log: ChatLog, number: number): ChatLog {
  return number > log.partnerRead ? { ...log, partnerRead: number } : log;
}

export function withoutDeleted({ deleted, deletedUpTo }: ChatLog, messages: Message[]): Message[] {
  return messages.filter(({ number }) => number > deletedUpTo && !deleted.has(number));
}

/** Each number once; incoming messages replace known ones. */
function merge(log: ChatLog, incoming: Message[]): Message[] {
  const byNumber = new Map([...log.messages, ...withoutDeleted(log, incoming)].map((message) => [message.number, message]));
  return [...byNumber.values()].sort((one, other) => one.number - other.number);
}
