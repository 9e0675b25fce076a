import { setTimeout } from "node:timers/promises";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { plainEmail } from "./plain-email.ts";
import { sendEmail } from "./send-email.server.ts";
import type { TestEmailResult } from "./test-email.ts";

export function testEmail({ settings: { siteName }, url, contactEmail }: Pick<Site, "settings" | "url" | "contactEmail">, to = "") {
  const replies = contactEmail
    ? `Replies go to ${contactEmail}.`
    : "Replies go to the sender above. If nobody reads that inbox, set MAIL_REPLY_TO to an address you read.";
  const body = `This is a test email from ${siteName}. If you can read it, the site can send emails.\n\n${replies}\n\n${url}/admin/emails`;
  return { kind: "test" as const, ...plainEmail(siteName, { to, subject: `Test email from ${siteName}`, body }) };
}

const pollIntervalMs = 150;
/** About ten seconds, longer than most mail servers take. */
const maxPolls = 65;

/** Waits a few seconds for the result. `record` runs in the same transaction. */
export async function sendTestEmailTo(site: Site, to: string, record?: (tx: SiteTransaction) => Promise<void>): Promise<TestEmailResult> {
  const number = await transaction(site, async (tx) => {
    await record?.(tx);
    return sendEmail(tx, testEmail(site, to));
  });
  for (let polls = 0; polls < maxPolls; polls++) {
    const email = await site.db.selectFrom("outbox").select(["state", "problem"]).where("number", "=", number).executeTakeFirst();
    if (email?.problem) return { result: "failed", problem: email.problem, isRetried: email.state === "waiting" };
    if (email?.state === "sent") return { result: site.mail.delivers ? "sent" : "saved", problem: null, isRetried: false };
    await setTimeout(pollIntervalMs);
  }
  return { result: "waiting", problem: null, isRetried: true };
}
