import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPoster } from "#platform/fetch/poster.ts";
import { createLog } from "#platform/log.ts";
import { days, hours, minutes } from "#platform/time.ts";
import { picture } from "../../tests/support/pictures.ts";
import { addPost } from "../../tests/support/stories.ts";
import { openReceiver, type Receiver } from "../../tests/support/webhook-receiver.ts";
import { openWorld, password, type World } from "../../tests/support/world.ts";
import { deleteAccount } from "../account-deletion/delete-account.server.ts";
import { signUp } from "../accounts/accounts.server.ts";
import { listAudit } from "../audit/audit.server.ts";
import { suspendMember } from "../moderation/suspensions.server.ts";
import { createPost, deletePost } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { report } from "../reports/reports.server.ts";
import type { Site } from "../site.ts";
import { listDeliveries, sendEventAgain, sendTestEvent, sweepDeliveries } from "./deliveries.server.ts";
import { openWebhooks } from "./sending/webhooks.server.ts";
import { WebhookInput, webhookEventNames } from "./webhook.ts";
import { addWebhook, deleteWebhook, findWebhook, listWebhooks, renewSecret, saveWebhook, setWebhookOn } from "./webhooks.server.ts";

let world: World;
let receiver: Receiver;
beforeEach(async () => {
  [world, receiver] = [await openWorld(), await openReceiver()];
});
afterEach(async () => {
  await world.close();
  await receiver.close();
});

const add = (events = webhookEventNames, address = receiver.address) => addWebhook(world.site, world.ruth, { address, events });
const settled = () => world.site.background.settled();
const story = (status: "active" | "inactive" = "active") =>
  addPost(world, world.maren, { id: "night-bus", title: "The Night Bus", status });
const publish = async () => setPostStatus(world.site, world.maren, await story("inactive"), "active");
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
const types = () => bodies().map(({ type }) => type);
const log = async (id: string) => (await listDeliveries(world.site, world.ruth, id, { limit: 50 })).deliveries;

async function later(milliseconds: number): Promise<void> {
  world.clock.advance(milliseconds);
  world.site.webhooks.wake(world.site);
  await settled();
}

/** Another process on the same site. */
async function processWith({ allowPrivate = true } = {}): Promise<Site> {
  const { db, events } = world.site;
  const post = createPoster({ allowPrivate });
  return { ...world.site, webhooks: await openWebhooks({ db, events, log: createLog("silent"), post, allowPrivate }) };
}

describe("a webhook", () => {
  test("gets what happened, signed as Standard Webhooks says", async () => {
    const { secret } = await add();
    await publish();
    await settled();
    const [{ headers, body, path } = { headers: {}, body: "", path: "" }] = receiver.received;
    expect(path).toBe("/inkstead");
    expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toEqual({
      type: "post.published",
      timestamp: new Date(world.site.now()).toISOString(),
      data: {
        ...{ id: "night-bus", title: "The Night Bus", summary: expect.any(String), userId: world.maren.id, userName: "Maren Oduya" },
        ...{ publishedAt: expect.stringMatching(/^20.*Z$/), url: "http://inkstead.test/post/night-bus" },
      },
    });
    expect(() => new Verifier(secret).verify(body.replace("Night", "Day"), headers as Record<string, string>)).toThrow();
    expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "Inkstead" });
  });

  test("gets each event by its name, and nothing that not everybody may see", async () => {
    await add();
    const { site, maren, tobias, ruth } = world;
    await publish();
    await report(site, tobias, { kind: "post", subjectId: "night-bus", reason: "spam", note: "A private note" });
    await setPostStatus(site, maren, "night-bus", "inactive");
    await setPostStatus(site, maren, "night-bus", "active");
    await deletePost(site, maren, "night-bus");
    await suspendMember(site, ruth, tobias.id, { days: 1, reason: "A private reason" });
    await signUp(
      site,
      { address: "192.0.2.1", userAgent: "" },
      { name: "Ana Pereira", email: "ana@example.com", password: "lamp 911 on a hill" },
    );
    await settled();
    expect(types()).toEqual([
      ...["post.published", "report.created", "post.hidden", "post.published", "post.removed", "account.suspended", "member.joined"],
    ]);
    const all = JSON.stringify(bodies());
    expect(all).toContain("Ana Pereira");
    for (const hidden of ["private", "@example.com", "spam"]) expect(all).not.toContain(hidden);
  });

  test("hears nothing of drafts, of events that it didn't choose, or of what was rolled back", async () => {
    await add(["post.hidden", "post.removed"]);
    await story("inactive");
    await deletePost(world.site, world.maren, "night-bus");
    await createPost(world.site, world.maren, { title: "A", slug: "a", content: "", status: "active" }, await picture());
    await settled();
    expect(receiver.received).toEqual([]);
    expect(await world.site.db.selectFrom("webhook_deliveries").selectAll().execute()).toEqual([]);
  });

  test("costs no query while there is none", async () => {
    const write = vi.spyOn(world.site.webhooks, "write");
    await publish();
    expect(write).not.toHaveBeenCalled();
  });

  test("that is known to one process is soon known to the others", async () => {
    const other = await processWith();
    expect(other.webhooks.wants("post.published")).toBe(false);
    const { id } = await add(["post.published"]);
    await expect.poll(() => other.webhooks.wants("post.published")).toBe(true);
    expect(other.webhooks.wants("post.hidden")).toBe(false);
    await deleteWebhook(world.site, world.ruth, id);
    await expect.poll(() => other.webhooks.wants("post.published")).toBe(false);
  });
});

describe("an event that isn't taken", () => {
  test("is sent again with the same id, later each time, until it is", async () => {
    receiver.answer = { status: 503, body: "busy" };
    const { id } = await add();
    await publish();
    await settled();
    expect(await log(id)).toMatchObject([{ state: "waiting", tries: 1, status: 503, answer: "busy", problem: "It answered 503." }]);
    expect(await findWebhook(world.site, world.ruth, id)).toMatchObject({ failingSince: world.site.now() });
    await later(minutes(1) - 1);
    expect(receiver.received).toHaveLength(1);
    await later(1);
    expect(receiver.received).toHaveLength(2);
    receiver.answer = { status: 200 };
    await later(minutes(5));
    expect(await log(id)).toMatchObject([{ state: "delivered", tries: 3, status: 200, problem: null }]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(3);
    expect(await findWebhook(world.site, world.ruth, id)).toMatchObject({ failingSince: null });
  });

  test("is given up after a day", async () => {
    receiver.answer = { status: 500 };
    const { id } = await add();
    await publish();
    await settled();
    for (let tries = 0; tries < 30; tries++) await later(hours(1));
    expect(await log(id)).toMatchObject([{ state: "failed", tries: 11 }]);
    expect(receiver.received).toHaveLength(11);
  });

  test.each([
    ["redirects", { status: 302, headers: { location: "/elsewhere" } }, "It answered 302. Redirects aren’t followed."],
    ["answers with a novel", { status: 400, body: "x".repeat(5_000) }, "It answered 400."],
  ])("where the receiver %s", async (_what, answer, problem) => {
    receiver.answer = answer;
    const { id } = await add();
    await publish();
    await settled();
    const [delivery] = await log(id);
    expect(delivery).toMatchObject({ state: "waiting", problem });
    expect(delivery?.answer?.length).toBeLessThanOrEqual(1024);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/inkstead"]);
  });

  test("where nobody listens", async () => {
    const { id } = await add(webhookEventNames, "http://127.0.0.1:9/");
    await publish();
    await settled();
    expect(await log(id)).toMatchObject([{ state: "waiting", status: null, problem: "It can’t be reached (ECONNREFUSED)." }]);
  });

  test("keeps no other webhook waiting", async () => {
    const slow = await openReceiver();
    slow.answer = "hang";
    await add(webhookEventNames, slow.address);
    await add();
    await publish();
    await expect.poll(types).toEqual(["post.published"]);
    await setPostStatus(world.site, world.maren, "night-bus", "inactive");
    await expect.poll(types).toEqual(["post.published", "post.hidden"]);
    expect(slow.received).toHaveLength(1);
    world.site.webhooks.close();
    await slow.close();
  });
});

describe("a webhook that takes nothing", () => {
  test("is turned off after three days, and administrators get one email", async () => {
    receiver.answer = { status: 500 };
    const { id } = await add();
    await publish();
    await settled();
    await later(days(3));
    const off = { offAt: world.site.now(), offBecause: "It took nothing for 3 days." };
    expect(await findWebhook(world.site, world.ruth, id)).toMatchObject(off);
    await world.site.outbox.wake(world.site);
    const emails = world.emails.filter(({ subject }) => subject.startsWith("A webhook"));
    expect(emails.map(({ to }) => to)).toEqual([world.ruth.email]);
    expect(emails[0]?.text).toContain(`http://inkstead.test/admin/webhooks/${id}`);
    await setPostStatus(world.site, world.maren, "night-bus", "inactive");
    await later(hours(5));
    expect(receiver.received).toHaveLength(2);
    receiver.answer = { status: 200 };
    await setWebhookOn(world.site, world.ruth, id, true);
    await later(hours(5));
    expect(types()).toEqual(["post.published", "post.published", "post.published"]);
  });

  test("is turned off at once when it says that it is gone", async () => {
    receiver.answer = { status: 410 };
    const { id } = await add();
    await publish();
    await settled();
    expect(await findWebhook(world.site, world.ruth, id)).toMatchObject({ offBecause: expect.stringContaining("410") });
    expect(await log(id)).toMatchObject([{ state: "failed", tries: 1 }]);
  });
});

describe("several processes", () => {
  test("deliver each event once", async () => {
    const [one, other] = [await processWith(), await processWith()];
    const { id } = await add(["post.published", "post.hidden"]);
    world.site.webhooks.close();
    await story("inactive");
    for (let round = 0; round < 10; round++)
      await setPostStatus(world.site, world.maren, "night-bus", round % 2 === 0 ? "active" : "inactive");
    await Promise.all([one, other].map((site) => site.webhooks.reload()));
    for (const site of [one, other]) site.webhooks.wake(site);
    await settled();
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(10);
    expect(receiver.received).toHaveLength(10);
    expect(new Set((await log(id)).map(({ state }) => state))).toEqual(new Set(["delivered"]));
  });

  test("one that dies leaves its event to another, when its claim has ended", async () => {
    const { id } = await add();
    await world.site.db.updateTable("webhooks").set({ address: "http://127.0.0.1:9/" }).execute();
    await publish();
    await settled();
    await world.site.db
      .updateTable("webhook_deliveries")
      .set({ claim: "of one that died", dueAt: world.site.now() + minutes(1) })
      .execute();
    await world.site.db.updateTable("webhooks").set({ address: receiver.address }).execute();
    await later(minutes(1) - 1);
    expect(receiver.received).toEqual([]);
    await later(1);
    expect(await log(id)).toMatchObject([{ state: "delivered" }]);
  });
});

describe("addresses", () => {
  test.each(["http://127.0.0.1/", "https://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/latest", "https://10.1.2.3:8443/"])(
    "%s isn't asked unless the operator allows it",
    async (address) => {
      const site = await processWith({ allowPrivate: false });
      const { id } = await add(webhookEventNames, address);
      world.site.webhooks.close();
      await site.webhooks.reload();
      await sendTestEvent(site, world.ruth, id);
      await settled();
      expect(await log(id)).toMatchObject([
        { state: "failed", problem: expect.stringMatching(/^It isn’t asked: .*(public network|encrypted)\.$/) },
      ]);
    },
  );

  test("without encryption are refused beside the field", async () => {
    const site = await processWith({ allowPrivate: false });
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
  ])("%j is none", (address) => {
    expect(WebhookInput.safeParse({ address, events: ["post.published"] }).success).toBe(false);
  });
});

describe("administrators", () => {
  test("see no secret again, neither in lists nor in the audit log, and can make a new one", async () => {
    const { id, secret } = await add();
    const renewed = await renewSecret(world.site, world.ruth, id);
    expect(renewed).not.toBe(secret);
    await sendTestEvent(world.site, world.ruth, id);
    await settled();
    const [{ body, headers } = { body: "", headers: {} }] = receiver.received;
    expect(new Verifier(renewed).verify(body, headers as Record<string, string>)).toMatchObject({ type: "webhook.test" });
    expect(() => new Verifier(secret).verify(body, headers as Record<string, string>)).toThrow();
    const shown = [await listWebhooks(world.site, world.ruth), await log(id), await listAudit(world.site, world.ruth, { limit: 50 })];
    for (const each of [secret, renewed]) expect(JSON.stringify(shown)).not.toContain(each.slice("whsec_".length));
  });

  test("send an event again, with the same id", async () => {
    const { id } = await add();
    await publish();
    await settled();
    const [{ number } = { number: 0 }] = await log(id);
    await sendEventAgain(world.site, world.ruth, id, number);
    await settled();
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await expect(sendEventAgain(world.site, world.ruth, id, number + 1)).rejects.toMatchObject({ code: "conflict" });
    await expect(sendEventAgain(world.site, world.ruth, "another", number)).rejects.toMatchObject({ code: "conflict" });
  });

  test("test one that is off, whose events wait for nobody", async () => {
    const { id } = await add();
    await setWebhookOn(world.site, world.ruth, id, false);
    await publish();
    await sendTestEvent(world.site, world.ruth, id);
    await settled();
    expect(types()).toEqual(["webhook.test"]);
  });

  test("delete one with its log and what waits", async () => {
    receiver.answer = { status: 500 };
    const { id } = await add();
    await publish();
    await settled();
    await deleteWebhook(world.site, world.ruth, id);
    await later(days(1));
    expect(receiver.received).toHaveLength(1);
    expect(await world.site.db.selectFrom("webhook_deliveries").selectAll().execute()).toEqual([]);
    await expect(findWebhook(world.site, world.ruth, id)).rejects.toMatchObject({ code: "not-found" });
    await expect(deleteWebhook(world.site, world.ruth, id)).rejects.toMatchObject({ code: "not-found" });
  });

  test("have twenty at most, and the audit log has what they do", async () => {
    for (let count = 0; count < 20; count++) await add(["post.published"], `https://hooks.example.com/${count}`);
    await expect(add()).rejects.toMatchObject({ code: "too-many" });
    const [{ id } = { id: "" }] = await listWebhooks(world.site, world.ruth);
    await saveWebhook(world.site, world.ruth, id, { address: receiver.address, events: ["report.created"] });
    await setWebhookOn(world.site, world.ruth, id, false);
    await deleteWebhook(world.site, world.ruth, id);
    const { entries } = await listAudit(world.site, world.ruth, { limit: 4 });
    expect(entries.map(({ action }) => action)).toEqual(["webhook.deleted", "webhook.off", "webhook.saved", "webhook.added"]);
  });

  test.each(["maren", "salma"] as const)("are nobody like %s", async (name) => {
    const { id } = await add();
    const refused = { code: "not-allowed" };
    const { site, [name]: viewer } = world;
    await expect(listWebhooks(site, viewer)).rejects.toMatchObject(refused);
    await expect(listDeliveries(site, viewer, id, { limit: 1 })).rejects.toMatchObject(refused);
    await expect(addWebhook(site, viewer, { address: "https://a.example", events: ["post.hidden"] })).rejects.toMatchObject(refused);
    await expect(sendTestEvent(site, viewer, id)).rejects.toMatchObject(refused);
    await expect(renewSecret(site, { ...world.ruth, verified: false }, id)).rejects.toMatchObject({ code: "verify-first" });
  });
});

describe("what is kept", () => {
  test("of an account that is deleted is nothing, though webhooks learn that its stories are gone", async () => {
    await add();
    await addPost(world, world.salma, { id: "salmas-own-words" });
    await setPostStatus(world.site, world.ruth, "salmas-own-words", "inactive");
    await setPostStatus(world.site, world.ruth, "salmas-own-words", "active");
    await settled();
    await deleteAccount(world.site, world.salma, password);
    await settled();
    expect(bodies().at(-1)).toMatchObject({ type: "post.removed", data: { id: "salmas-own-words" } });
    expect(await world.site.db.selectFrom("webhook_deliveries").select("body").execute()).toEqual([]);
  });

  test("is a thousand for each, for thirty days", async () => {
    const { id } = await add();
    const { id: other } = await add();
    const now = world.site.now();
    const row = { webhookId: id, messageId: "m", event: "post.hidden", body: "{}", userId: null, forgetAfter: false, tries: 1, dueAt: now };
    const done = { ...row, state: "delivered" as const, createdAt: now };
    for (let start = 0; start < 1_010; start += 101)
      await world.site.db
        .insertInto("webhook_deliveries")
        .values(Array.from({ length: 101 }, () => done))
        .execute();
    await world.site.db
      .insertInto("webhook_deliveries")
      .values([
        { ...done, webhookId: other },
        { ...done, webhookId: "gone" },
      ])
      .execute();
    const counts = async () =>
      (await world.site.db.selectFrom("webhook_deliveries").select(["webhookId", "number"]).execute()).map(({ webhookId }) => webhookId);
    await sweepDeliveries(world.site);
    expect((await counts()).filter((each) => each === id)).toHaveLength(1_000);
    expect((await counts()).filter((each) => each !== id)).toEqual([other]);
    world.clock.advance(days(30));
    await sweepDeliveries(world.site);
    expect(await counts()).toEqual([]);
  });
});
