import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setPostStatus } from "#domain/posts/update-post.server.ts";
import { DatabaseUnreachable } from "#platform/database/errors.ts";
import { days, hours, minutes } from "#platform/time.ts";
import { openReceiver } from "../../../tests/webhooks/receiver.ts";
import { openWebhookWorld, type WebhookWorld } from "../../../tests/webhooks/world.ts";
import { sendTestEvent } from "../deliveries.server.ts";
import { webhookEventNames } from "../webhook.ts";
import { WebhookInput } from "../webhook-input.ts";
import { addWebhook, findWebhook, saveWebhook, setWebhookOn } from "../webhooks.server.ts";

let tools: WebhookWorld;
let world: WebhookWorld["world"];
let receiver: WebhookWorld["receiver"];
beforeEach(async () => {
  tools = await openWebhookWorld();
  ({ world, receiver } = tools);
});
afterEach(() => tools.close());

describe("a failed delivery", () => {
  test("is retried with the same id and growing delays", async () => {
    receiver.answer = { status: 503, body: "busy" };
    const { id } = await tools.add();
    await tools.publish();
    await tools.settled();
    expect(await tools.log(id)).toMatchObject([{ state: "waiting", tries: 1, status: 503, answer: "busy", problem: "It answered 503." }]);
    expect(await findWebhook(world.site, world.ruth, id)).toMatchObject({ failingSince: world.site.now() });
    await tools.later(minutes(1) - 1);
    expect(receiver.received).toHaveLength(1);
    await tools.later(1);
    expect(receiver.received).toHaveLength(2);
    receiver.answer = { status: 200 };
    await tools.later(minutes(5));
    expect(await tools.log(id)).toMatchObject([{ state: "delivered", tries: 3, status: 200, problem: null }]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(3);
    expect(await findWebhook(world.site, world.ruth, id)).toMatchObject({ failingSince: null });
  });

  test("is given up after a day", async () => {
    receiver.answer = { status: 500 };
    const { id } = await tools.add();
    await tools.publish();
    await tools.settled();
    for (let tries = 0; tries < 30; tries++) await tools.later(hours(1));
    expect(await tools.log(id)).toMatchObject([{ state: "failed", tries: 11 }]);
    expect(receiver.received).toHaveLength(11);
  });

  test.each([
    ["redirects", { status: 302, headers: { location: "/elsewhere" } }, "It answered 302. Redirects aren’t followed."],
    ["answers with a novel", { status: 400, body: "x".repeat(5_000) }, "It answered 400."],
  ])("when the receiver %s", async (_what, answer, problem) => {
    receiver.answer = answer;
    const { id } = await tools.add();
    await tools.publish();
    await tools.settled();
    const [delivery] = await tools.log(id);
    expect(delivery).toMatchObject({ state: "waiting", problem });
    expect(delivery?.answer?.length).toBeLessThanOrEqual(1024);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/inkstead"]);
  });

  test("when nothing listens", async () => {
    const { id } = await tools.add(webhookEventNames, "http://127.0.0.1:9/");
    await tools.publish();
    await tools.settled();
    expect(await tools.log(id)).toMatchObject([{ state: "waiting", status: null, problem: "It can’t be reached (ECONNREFUSED)." }]);
  });

  test("when the receiver times out", async () => {
    receiver.answer = "hang";
    const site = await tools.processWith({ timeoutMs: 50 });
    const { id } = await tools.add();
    world.site.webhooks.close();
    await site.webhooks.reload();
    await sendTestEvent(site, world.ruth, id);
    await tools.settled();
    expect(await tools.log(id)).toMatchObject([{ state: "failed", problem: "It didn’t answer within 10 seconds." }]);
  });

  test("doesn't delay other webhooks", async () => {
    const slow = await openReceiver();
    slow.answer = "hang";
    await tools.add(webhookEventNames, slow.address);
    await tools.add();
    await tools.publish();
    await expect.poll(tools.types).toEqual(["post.published"]);
    await setPostStatus(world.site, world.maren, "night-bus", "inactive");
    await expect.poll(tools.types).toEqual(["post.published", "post.hidden"]);
    expect(slow.received).toHaveLength(1);
    world.site.webhooks.close();
    await slow.close();
  });
});

describe("a failing webhook", () => {
  test("is turned off after three days, with one email to administrators", async () => {
    receiver.answer = { status: 500 };
    const { id } = await tools.add();
    await tools.publish();
    await tools.settled();
    await tools.later(days(3));
    const off = { offAt: world.site.now(), offBecause: "Every delivery failed for 3 days." };
    expect(await findWebhook(world.site, world.ruth, id)).toMatchObject(off);
    await world.site.outbox.wake(world.site);
    const emails = world.emails.filter(({ subject }) => subject.startsWith("A webhook"));
    expect(emails.map(({ to }) => to)).toEqual([world.ruth.email]);
    expect(emails[0]?.text).toContain(`http://inkstead.test/admin/webhooks/${id}`);
    await setPostStatus(world.site, world.maren, "night-bus", "inactive");
    await tools.later(hours(5));
    expect(receiver.received).toHaveLength(2);
    receiver.answer = { status: 200 };
    await setWebhookOn(world.site, world.ruth, id, true);
    await tools.later(hours(5));
    expect(await tools.log(id)).toMatchObject([{ state: "failed", problem: "The webhook was off." }]);
    await setPostStatus(world.site, world.maren, "night-bus", "active");
    await tools.settled();
    expect(tools.types()).toEqual(["post.published", "post.published", "post.published"]);
  });

  test("is turned off at once by 410", async () => {
    receiver.answer = { status: 410 };
    const { id } = await tools.add();
    await tools.publish();
    await tools.settled();
    expect(await findWebhook(world.site, world.ruth, id)).toMatchObject({ offBecause: expect.stringContaining("410") });
    expect(await tools.log(id)).toMatchObject([{ state: "failed", tries: 1 }]);
  });
});

describe("several processes", () => {
  test("read the webhooks again after an outage, and don't start during one", async () => {
    let isOut = true;
    const db = new Proxy(world.site.db, {
      get(there, name) {
        if (isOut) throw new DatabaseUnreachable("closed");
        const part = Reflect.get(there, name);
        return typeof part === "function" ? part.bind(there) : part;
      },
    });
    await expect(tools.processWith({ db })).rejects.toThrow(DatabaseUnreachable);
    isOut = false;
    const other = await tools.processWith({ db });
    isOut = true;
    await tools.add();
    await other.webhooks.reload();
    expect(other.webhooks.wants("post.published")).toBe(false);
    isOut = false;
    await expect.poll(() => other.webhooks.wants("post.published")).toBe(true);
  });

  test("deliver each event once", async () => {
    const [one, other] = [await tools.processWith(), await tools.processWith()];
    const { id } = await tools.add(["post.published", "post.hidden"]);
    world.site.webhooks.close();
    await tools.post("inactive");
    for (let round = 0; round < 10; round++)
      await setPostStatus(world.site, world.maren, "night-bus", round % 2 === 0 ? "active" : "inactive");
    await Promise.all([one, other].map((site) => site.webhooks.reload()));
    for (const site of [one, other]) site.webhooks.wake(site);
    await tools.settled();
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(10);
    expect(receiver.received).toHaveLength(10);
    expect(new Set((await tools.log(id)).map(({ state }) => state))).toEqual(new Set(["delivered"]));
  });

  test("one that dies leaves its delivery to another, once its claim has ended", async () => {
    const { id } = await tools.add();
    await world.site.db.updateTable("webhooks").set({ address: "http://127.0.0.1:9/" }).execute();
    await tools.publish();
    await tools.settled();
    await world.site.db
      .updateTable("webhook_deliveries")
      .set({ claim: "of one that died", dueAt: world.site.now() + minutes(1) })
      .execute();
    await world.site.db.updateTable("webhooks").set({ address: receiver.address }).execute();
    await tools.later(minutes(1) - 1);
    expect(receiver.received).toEqual([]);
    await tools.later(1);
    expect(await tools.log(id)).toMatchObject([{ state: "delivered" }]);
  });
});

describe("addresses", () => {
  test.each(["http://127.0.0.1/", "https://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/latest", "https://10.1.2.3:8443/"])(
    "%s is rejected unless the operator allows it",
    async (address) => {
      const site = await tools.processWith({ allowPrivate: false });
      const { id } = await tools.add(webhookEventNames, address);
      world.site.webhooks.close();
      await site.webhooks.reload();
      await sendTestEvent(site, world.ruth, id);
      await tools.settled();
      expect(await tools.log(id)).toMatchObject([
        {
          state: "failed",
          problem: expect.stringMatching(
            /^Nothing was sent: .*(public addresses on port 443\. .*WEBHOOKS_ALLOW_PRIVATE=yes|https addresses are allowed)\.$/,
          ),
        },
      ]);
    },
  );

  test("without encryption are rejected with the field", async () => {
    const site = await tools.processWith({ allowPrivate: false });
    const events = webhookEventNames;
    const refused = { code: "invalid", field: "address" };
    await expect(addWebhook(site, world.ruth, { address: "http://hooks.example.com", events })).rejects.toMatchObject(refused);
    const { id } = await addWebhook(site, world.ruth, { address: "https://hooks.example.com", events });
    await expect(saveWebhook(site, world.ruth, id, { address: "http://hooks.example.com", events })).rejects.toMatchObject(refused);
  });

  test.each([
    "",
    "hooks.example.com",
    "ftp://a.example",
    "https://a:b@c.example",
    "javascript:alert(1)",
    `https://${"x".repeat(500)}.example`,
  ])("%j is invalid", (address) => {
    expect(WebhookInput.safeParse({ address, events: ["post.published"] }).success).toBe(false);
  });
});
