import { sendBundleEmails } from "#domain/bell/bundle-emails.server.ts";
import { sendDigests } from "#domain/bell/digests.server.ts";
import { sendMessageEmails } from "#domain/messages/message-emails.server.ts";
import type { Site } from "#domain/site.ts";

const checkIntervalMs = 30_000;

/** Looks every half minute for whom an email about messages or notifications is due. @returns what ends it. */
export function sendEmailsRegularly(site: Site): () => void {
  let sending = false;
  const send = async () => {
    if (sending) return;
    sending = true;
    for (const each of [sendMessageEmails, sendBundleEmails, sendDigests])
      await each(site).catch((err: unknown) => site.log.warn({ err }, "emails about notifications were not sent"));
    sending = false;
  };
  const timer = setInterval(send, checkIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
