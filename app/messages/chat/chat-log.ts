import type { Message, MessagePage } from "#domain/messages/message.ts";

/**
 * The loaded part of a chat, without a hole: everything from `from` up to `seen` is here unless it was deleted. A message
 * that this browser sent itself may stand beyond `seen` until what came before it has been fetched.
 */
export type ChatLog = {
  /** By number, ascending. */
  messages: Message[];
  seen: number;
  more: boolean;
  partnerRead: number;
  /** Deleted ones: an answer that was under way meanwhile must not bring them back. */
  gone: ReadonlySet<number>;
  goneUpTo: number;
};

export function beginLog({ messages, more, partnerRead, lastNumber }: MessagePage): ChatLog {
  return { messages, more, partnerRead, gone: new Set(), goneUpTo: 0, seen: Math.max(lastNumber, messages.at(-1)?.number ?? 0) };
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
  return { ...log, messages: log.messages.filter((message) => message.number !== number), gone: new Set(log.gone).add(number) };
}

export function removeUpTo(log: ChatLog, number: number): ChatLog {
  return { ...log, messages: log.messages.filter((message) => message.number > number), more: false, goneUpTo: number };
}

/** A position never goes back. */
export function readUpTo(log: ChatLog, number: number): ChatLog {
  return number > log.partnerRead ? { ...log, partnerRead: number } : log;
}

/** Each number once; the server's word counts more than what is here. */
function merge({ messages, gone, goneUpTo }: ChatLog, come: Message[]): Message[] {
  const there = come.filter(({ number }) => number > goneUpTo && !gone.has(number));
  const byNumber = new Map([...messages, ...there].map((message) => [message.number, message]));
  return [...byNumber.values()].sort((one, other) => one.number - other.number);
}
