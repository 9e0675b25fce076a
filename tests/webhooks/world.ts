import { setPostStatus } from "#domain/posts/update-post.server.ts";
import type { Site } from "#domain/site.ts";
import { listDeliveries } from "#domain/webhooks/deliveries.server.ts";
import { openWebhooks } from "#domain/webhooks/sending/webhooks.server.ts";
import { webhookEventNames } from "#domain/webhooks/webhook.ts";
import { addWebhook } from "#domain/webhooks/webhooks.server.ts";
import { createPoster, type HttpPoster } from "#platform/fetch/poster.ts";
import { createLog } from "#platform/log.ts";
import { addPost } from "../support/posts.ts";
import { openWorld } from "../support/world.ts";
import { openReceiver } from "./receiver.ts";

export type WebhookWorld = Awaited<ReturnType<typeof openWebhookWorld>>;

/** A site and a receiver of its webhooks. */
export async function openWebhookWorld() {
  const [world, receiver] = [await openWorld(), await openReceiver()];
  const { site, maren, ruth } = world;
  const settled = () => site.background.settled();
  const post = (status: "active" | "inactive" = "active") => addPost(world, maren, { id: "night-bus", title: "The Night Bus", status });
  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
  return {
    ...{ world, receiver, settled, post, bodies },
    add: (events = webhookEventNames, address = receiver.address) => addWebhook(site, ruth, { address, events }),
    publish: async () => setPostStatus(site, maren, await post("inactive"), "active"),
    types: () => bodies().map(({ type }) => type),
    log: async (id: string) => (await listDeliveries(site, ruth, id, { limit: 50 })).deliveries,
    async later(milliseconds: number): Promise<void> {
      world.clock.advance(milliseconds);
      site.webhooks.wake(site);
      await settled();
    },
    /** Another process of the same site. */
    async processWith({ allowPrivate = true, timeoutMs = 10_000, db = site.db } = {}): Promise<Site> {
      const { events } = site;
      const usual = createPoster({ allowPrivate });
      const poster: HttpPoster = { ...usual, post: (address, posting) => usual.post(address, { ...posting, timeoutMs }) };
      return { ...site, webhooks: await openWebhooks({ db, events, log: createLog("silent"), poster, allowPrivate }) };
    },
    async close(): Promise<void> {
      await world.close();
      await receiver.close();
    },
  };
}
