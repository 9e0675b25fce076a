import { z } from "zod";
import { webhookEventNames, webhookLimits, webhookTexts } from "./webhook.ts";

export const WebhookInput = z.object({
  address: z.string().trim().max(webhookLimits.address, webhookTexts.wrongAddress).refine(isWebAddress, webhookTexts.wrongAddress),
  events: z
    .array(z.enum(webhookEventNames))
    .min(1, webhookTexts.noEvents)
    .transform((events) => webhookEventNames.filter((each) => events.includes(each))),
});
export type WebhookInput = z.infer<typeof WebhookInput>;

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ["https:", "http:"].includes(url.protocol) && url.username === "" && url.password === "" && url.hash === "";
}
