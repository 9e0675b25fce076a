import { sendNewsletterWhenDue } from "#domain/newsletter/sending.server.ts";
import type { Site } from "#domain/site.ts";
import { minutes } from "#platform/time.ts";

/** Looks every minute whether the week's newsletter is due. @returns what ends it. */
export function sendNewsletterRegularly(site: Site): () => void {
  let sending = false;
  const send = async () => {
    if (sending) return;
    sending = true;
    await sendNewsletterWhenDue(site).catch((err) => site.log.error({ err }, "the newsletter was not sent"));
    sending = false;
  };
  void send();
  const timer = setInterval(() => void send(), minutes(1));
  timer.unref();
  return () => clearInterval(timer);
}
