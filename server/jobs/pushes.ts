import { sendPushes } from "#domain/bell/pushes.server.ts";
import type { Site } from "#domain/site.ts";
import { seconds } from "#platform/time.ts";

/** Looks every five seconds for notifications that devices are to show. @returns what ends it. */
export function sendPushesRegularly(site: Site): () => void {
  let sending = false;
  const send = () => {
    if (sending) return;
    sending = true;
    site.background.run("sending pushes", async () => {
      await sendPushes(site).finally(() => {
        sending = false;
      });
    });
  };
  const timer = setInterval(send, seconds(5));
  timer.unref();
  return () => clearInterval(timer);
}
