import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { days } from "#platform/time.ts";
import { picture } from "../../tests/support/pictures.ts";
import { addPost } from "../../tests/support/posts.ts";
import { password } from "../../tests/support/world.ts";
import { openWebhookWorld, type WebhookWorld } from "../../tests/webhooks/world.ts";
import { deleteAccount } from "../account-deletion/delete-account.server.ts";
import { signUp } from "../accounts/accounts.server.ts";
import { listAudit } from "../audit/audit.server.ts";
import { suspendMember } from "../moderation/suspensions.server.ts";
import { createPost, deletePost, eraseDeleted } from "../posts/posts.server.ts";
import { setPostStatus } from "../posts/update-post.server.ts";
import { report } from "../reports/reports.server.ts";
import { listDeliveries, sendEventAgain, sendTestEvent, sweepDeliveries } from "./deliveries.server.ts";
import { webhookTexts } from "./webhook.ts";
import type { WebhookInput } from "./webhook-input.ts";
import { addWebhook, deleteWebhook, findWebhook, listWebhooks, renewSecret, saveWebhook, setWebhookOn } from "./webhooks.server.ts";

let tools: WebhookWorld;
let world: WebhookWorld["world"];
let receiver: WebhookWorld["receiver"];
beforeEach(async () => {
  tools = await openWebhookWorld();
  ({ world, receiver } = tools);
});
afterEach(() => tools.close());

describe("a webhook", () => {
  test.each([
    ["https://127.0.0.1", "private"],
    ["https://[::1]/hook", "private"],
    ["https://192.168.1.20/hook", "private"],
    ["https://localhost/hook", "private"],
    ["https://127.0.0.1:4778", "private"],
    ["https://hooks.example:8443", "port"],
    ["http://hooks.example", "https"],
  ])("at %s is rejected", async (address, why) => {
    const site = await tools.processWith({ allowPrivate: false });
    const { privateAddress, otherPort, wrongAddress } = webhookTexts;
    const message = { private: privateAddress, port: otherPort, https: wrongAddress }[why];
    const added = addWebhook(site, world.ruth, { address, events: ["post.hidden"] });
    await expect(added).rejects.toMatchObject({ code: "invalid", field: "address", message });
    const { id } = await addWebhook(site, world.ruth, { address: "https://203.0.112.7/hook", events: ["post.hidden"] });
    const saved = saveWebhook(site, world.ruth, id, { address, events: ["post.hidden"] });
    await expect(saved).rejects.toMatchObject({ code: "invalid", field: "address", message });
  });

  test("isn't replaced when someone else has changed it", async () => {
    const { site, ruth } = world;
    const shown = { address: "https://hooks.example/one", events: ["post.hidden" as const] };
    const { id } = await addWebhook(site, ruth, shown);
    const theirs = { ...shown, address: "https://hooks.example/two" };
    const save = (changes: Partial<WebhookInput>, seen = shown) => saveWebhook(site, ruth, id, { ...shown, ...changes }, seen);
    await save(theirs);
    const mine = { events: ["post.removed" as const] };
    await expect(save(mine)).rejects.toMatchObject({ code: "conflict", details: { kind: "webhook-changed", present: theirs } });
    // Sent again because its response was lost.
    await save(theirs);
    await save(mine, theirs);
    expect(await findWebhook(site, ruth, id)).toMatchObject({ ...shown, ...mine });
  });

  test("gets events, signed as in Standard Webhooks", async () => {
    const { secret } = await tools.add();
    await tools.publish();
    await tools.settled();
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

  test("gets each event by name, with public data only", async () => {
    await tools.add();
    const { site, maren, tobias, ruth } = world;
    await tools.publish();
    await report(site, tobias, { kind: "post", subjectId: "night-bus", reason: "spam", note: "A private note" });
    await setPostStatus(site, maren, "night-bus", "inactive");
    await setPostStatus(site, maren, "night-bus", "active");
    await deletePost(site, maren, "night-bus");
    await suspendMember(site, ruth, tobias.id, { days: 1, reason: "A private reason" });
    await signUp(
      site,
      { ip: "192.0.2.1", userAgent: "" },
      { name: "Ana Pereira", email: "ana@example.com", password: "lamp 911 on a hill" },
    );
    await tools.settled();
    expect(tools.types()).toEqual([
      ...["post.published", "report.created", "post.hidden", "post.published", "post.removed", "account.suspended", "member.joined"],
    ]);
    const all = JSON.stringify(tools.bodies());
    expect(all).toContain("Ana Pereira");
    for (const hidden of ["private", "@example.com", "spam"]) expect(all).not.toContain(hidden);
  });

  test("gets the removal of stories that were unpublished or hidden before", async () => {
    await tools.add(["post.removed"]);
    const { site, maren, ruth, salma } = world;
    await tools.publish();
    await setPostStatus(site, maren, "night-bus", "inactive");
    await deletePost(site, maren, "night-bus");
    await addPost(world, salma, { id: "deleted-by-staff" });
    await deletePost(site, ruth, "deleted-by-staff");
    await eraseDeleted(site, ruth, "deleted-by-staff");
    await addPost(world, salma, { id: "unpublished", status: "inactive", publishedAt: site.now() });
    await addPost(world, salma, { id: "never-public", status: "inactive" });
    await deleteAccount(site, salma, password);
    await tools.settled();
    expect(tools.bodies().map(({ data }) => data.id)).toEqual(["night-bus", "deleted-by-staff", "unpublished"]);
  });

  test("gets nothing about drafts, other events or rollbacks", async () => {
    await tools.add(["post.hidden", "post.removed"]);
    await tools.post("inactive");
    await deletePost(world.site, world.maren, "night-bus");
    await createPost(world.site, world.maren, { title: "A", slug: "a", content: "", status: "active" }, await picture());
    await tools.settled();
    expect(receiver.received).toEqual([]);
    expect(await world.site.db.selectFrom("webhook_deliveries").selectAll().execute()).toEqual([]);
  });

  test("costs no query if there is none", async () => {
    const write = vi.spyOn(world.site.webhooks, "write");
    await tools.publish();
    expect(write).not.toHaveBeenCalled();
  });

  test("changes reach other processes", async () => {
    const other = await tools.processWith();
    expect(other.webhooks.wants("post.published")).toBe(false);
    const { id } = await tools.add(["post.published"]);
    await expect.poll(() => other.webhooks.wants("post.published")).toBe(true);
    expect(other.webhooks.wants("post.hidden")).toBe(false);
    await deleteWebhook(world.site, world.ruth, id);
    await expect.poll(() => other.webhooks.wants("post.published")).toBe(false);
  });
});

describe("administrators", () => {
  test("never see a secret again, but can renew it", async () => {
    const { id, secret } = await tools.add();
    const renewed = await renewSecret(world.site, world.ruth, id);
    expect(renewed).not.toBe(secret);
    await sendTestEvent(world.site, world.ruth, id);
    await tools.settled();
    const [{ body, headers } = { body: "", headers: {} }] = receiver.received;
    expect(new Verifier(renewed).verify(body, headers as Record<string, string>)).toMatchObject({ type: "webhook.test" });
    expect(() => new Verifier(secret).verify(body, headers as Record<string, string>)).toThrow();
    const shown = [await listWebhooks(world.site, world.ruth), await tools.log(id), await listAudit(world.site, world.ruth, { limit: 50 })];
    for (const each of [secret, renewed]) expect(JSON.stringify(shown)).not.toContain(each.slice("whsec_".length));
  });

  test("can send an event again with the same id", async () => {
    const { id } = await tools.add();
    await tools.publish();
    await tools.settled();
    const [{ number } = { number: 0 }] = await tools.log(id);
    await sendEventAgain(world.site, world.ruth, id, number);
    await tools.settled();
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await expect(sendEventAgain(world.site, world.ruth, id, number + 1)).rejects.toMatchObject({ code: "conflict" });
    await expect(sendEventAgain(world.site, world.ruth, "another", number)).rejects.toMatchObject({ code: "conflict" });
  });

  test("can test one that is off", async () => {
    const { id } = await tools.add();
    await setWebhookOn(world.site, world.ruth, id, false);
    await tools.publish();
    await sendTestEvent(world.site, world.ruth, id);
    await tools.settled();
    expect(tools.types()).toEqual(["webhook.test"]);
  });

  test("can delete one with its deliveries", async () => {
    receiver.answer = { status: 500 };
    const { id } = await tools.add();
    await tools.publish();
    await tools.settled();
    await deleteWebhook(world.site, world.ruth, id);
    await tools.later(days(1));
    expect(receiver.received).toHaveLength(1);
    expect(await world.site.db.selectFrom("webhook_deliveries").selectAll().execute()).toEqual([]);
    await expect(findWebhook(world.site, world.ruth, id)).rejects.toMatchObject({ code: "not-found" });
    await expect(deleteWebhook(world.site, world.ruth, id)).rejects.toMatchObject({ code: "not-found" });
  });

  test("can add twenty, all logged", async () => {
    for (let count = 0; count < 20; count++) await tools.add(["post.published"], `https://hooks.example.com/${count}`);
    await expect(tools.add()).rejects.toMatchObject({ code: "too-many" });
    const [{ id } = { id: "" }] = await listWebhooks(world.site, world.ruth);
    await saveWebhook(world.site, world.ruth, id, { address: receiver.address, events: ["report.created"] });
    await setWebhookOn(world.site, world.ruth, id, false);
    await deleteWebhook(world.site, world.ruth, id);
    const { entries } = await listAudit(world.site, world.ruth, { limit: 4 });
    expect(entries.map(({ action }) => action)).toEqual(["webhook.deleted", "webhook.off", "webhook.saved", "webhook.added"]);
  });

  test.each(["maren", "salma"] as const)("doesn't include %s", async (name) => {
    const { id } = await tools.add();
    const refused = { code: "not-allowed" };
    const { site, [name]: viewer } = world;
    await expect(listWebhooks(site, viewer)).rejects.toMatchObject(refused);
    await expect(listDeliveries(site, viewer, id, { limit: 1 })).rejects.toMatchObject(refused);
    await expect(addWebhook(site, viewer, { address: "https://a.example", events: ["post.hidden"] })).rejects.toMatchObject(refused);
    await expect(sendTestEvent(site, viewer, id)).rejects.toMatchObject(refused);
    await expect(renewSecret(site, { ...world.ruth, isReauthenticated: false }, id)).rejects.toMatchObject({
      code: "reauthentication-required",
    });
  });
});

describe("deliveries", () => {
  test("of a deleted account are removed after its stories' removal was delivered", async () => {
    await tools.add();
    await addPost(world, world.salma, { id: "salmas-own-words" });
    await setPostStatus(world.site, world.ruth, "salmas-own-words", "inactive");
    await setPostStatus(world.site, world.ruth, "salmas-own-words", "active");
    await tools.settled();
    await deleteAccount(world.site, world.salma, password);
    await tools.settled();
    expect(tools.bodies().at(-1)).toMatchObject({ type: "post.removed", data: { id: "salmas-own-words" } });
    expect(await world.site.db.selectFrom("webhook_deliveries").select("body").execute()).toEqual([]);
  });

  test("are limited to a thousand per webhook and thirty days", async () => {
    const { id } = await tools.add();
    const { id: other } = await tools.add();
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
