import { expect, test } from "vitest";
import { setPostStatus } from "#domain/posts/update-post.server.ts";
import { addWebhook } from "#domain/webhooks/webhooks.server.ts";
import { addMember } from "./support/members.ts";
import { addPost } from "./support/posts.ts";
import { startTwoServers } from "./support/two-servers.ts";
import { openReceiver } from "./webhooks/receiver.ts";

test("two servers deliver each event once to a webhook added by a third process", async () => {
  const receiver = await openReceiver();
  const { site, close } = await startTwoServers({ WEBHOOKS_ALLOW_PRIVATE: "yes" });
  try {
    site.webhooks.allowPrivate = true;
    const ruth = await addMember({ site }, "Ruth Castellanos", { staff: "administrator" });
    const writer = await addMember({ site }, "Maren Oduya");
    await addWebhook(site, ruth, { address: receiver.address, events: ["post.published", "post.hidden"] });
    // From here on only the servers deliver.
    site.webhooks.close();
    await addPost({ site }, writer, { id: "night-bus", status: "inactive" });
    for (let round = 0; round < 20; round++) await setPostStatus(site, writer, "night-bus", round % 2 === 0 ? "active" : "inactive");
    const states = async () => (await site.db.selectFrom("webhook_deliveries").select("state").execute()).map(({ state }) => state);
    await expect.poll(states).toEqual(Array.from({ length: 20 }, () => "delivered"));
    expect(receiver.received).toHaveLength(20);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
  } finally {
    await close();
    await receiver.close();
  }
});
