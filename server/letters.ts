import { sendMessageLetters } from "#domain/messages/message-letters.server.ts";
import type { Site } from "#domain/site.ts";

const halfAMinute = 30_000;

/** Looks every half minute for whom a letter about unread messages is due. @returns what ends it. */
export function sendLettersRegularly(site: Site): () => void {
  let sending = false;
  const send = async () => {
    if (sending) return;
    sending = true;
    await sendMessageLetters(site).catch((err) => site.log.warn({ err }, "emails about messages were not sent"));
    sending = false;
  };
  const timer = setInterval(send, halfAMinute);
  timer.unref();
  return () => clearInterval(timer);
}
