import { sendMessageEmails } from "#domain/messages/message-emails.server.ts";
import type { Site } from "#domain/site.ts";

const checkIntervalMs = 30_000;

/** Looks every half minute for whom an email about unread messages is due. @returns what ends it. */
export function sendEmailsRegularly(site: Site): () => void {
  let sending = false;
  const send = async () => {
    if (sending) return;
    sending = true;
    await sendMessageEmails(site).catch((err) => site.log.warn({ err }, "emails about messages were not sent"));
    sending = false;
  };
  const timer = setInterval(send, checkIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
