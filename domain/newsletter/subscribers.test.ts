import { afterEach, beforeEach, expect, test } from "vitest";
import { days } from "#platform/time.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { importSubscribers } from "./subscriber-files.server.ts";
import { confirmSubscription, subscribe, sweepUnconfirmed, unsubscribe } from "./subscribers.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const from = (address: string) => ({ ip: address, userAgent: null });
const here = from("192.0.2.7");
const subscribers = () => world.site.db.selectFrom("subscribers").select(["email", "confirmedAt"]).execute();
function mailedLink(index: number) {
  const { searchParams } = new URL(/https?:\S+/.exec(world.emails[index]?.text ?? "")?.[0] ?? "");
  return { token: searchParams.get("token") ?? "", code: searchParams.get("code") ?? "" };
}

test("an address is subscribed once its link has been opened", async () => {
  await subscribe(world.site, here, " Hana@Example.com ");
  expect(await subscribers()).toEqual([{ email: "hana@example.com", confirmedAt: null }]);
  expect(world.emails[0]).toMatchObject({ to: "hana@example.com", subject: "Confirm your subscription to Inkstead" });
  expect(await confirmSubscription(world.site, mailedLink(0))).toEqual({ email: "hana@example.com" });
  const confirmedAt = world.site.now();
  world.clock.advance(60_000);
  await confirmSubscription(world.site, mailedLink(0));
  expect(await subscribers()).toEqual([{ email: "hana@example.com", confirmedAt }]);
});

test("a known address gets the same answer, and an email too", async () => {
  await subscribe(world.site, here, "hana@example.com");
  await confirmSubscription(world.site, mailedLink(0));
  await subscribe(world.site, here, "hana@example.com");
  expect(world.emails.map((emailMessage) => emailMessage.subject)).toEqual([
    "Confirm your subscription to Inkstead",
    "You’re already subscribed to Inkstead",
  ]);
  expect(await subscribers()).toHaveLength(1);
});

test("subscribing again before confirming sends the same link", async () => {
  await subscribe(world.site, here, "hana@example.com");
  await subscribe(world.site, here, "hana@example.com");
  expect(mailedLink(1)).toEqual(mailedLink(0));
});

test("unconfirmed addresses are removed after a month", async () => {
  await subscribe(world.site, here, "hana@example.com");
  await subscribe(world.site, here, "ivo@example.com");
  await confirmSubscription(world.site, mailedLink(1));
  world.clock.advance(days(30) - 1);
  await sweepUnconfirmed(world.site);
  expect(await subscribers()).toHaveLength(2);
  world.clock.advance(1);
  await sweepUnconfirmed(world.site);
  expect(await subscribers()).toMatchObject([{ email: "ivo@example.com" }]);
  await expect(confirmSubscription(world.site, mailedLink(0))).rejects.toMatchObject({ code: "invalid" });
});

test("an imported address that wasn't confirmed yet is subscribed", async () => {
  await subscribe(world.site, here, "hana@example.com");
  const imported = await importSubscribers(world.site, world.ruth, "hana@example.com,2026-01-02");
  expect(imported).toEqual({ added: 1, known: 0, refused: 0 });
  expect(await subscribers()).toEqual([{ email: "hana@example.com", confirmedAt: Date.parse("2026-01-02") }]);
});

test.each([
  ["", "Email is required"],
  ["hana", "Please enter a valid email address"],
  ["hana@example.com\r\nBcc: all@example.com", "Please enter a valid email address"],
])("%j is rejected", async (given, message) => {
  await expect(subscribe(world.site, here, given)).rejects.toMatchObject({ code: "invalid", field: "email", message });
  expect(await subscribers()).toEqual([]);
});

test("senders are limited", async () => {
  for (let i = 0; i < 10; i++) await subscribe(world.site, here, `reader${i}@example.com`);
  await expect(subscribe(world.site, here, "one-more@example.com")).rejects.toMatchObject({ code: "too-many" });
  await subscribe(world.site, from("198.51.100.4"), "one-more@example.com");
});

test("emails per mailbox are limited, without revealing it", async () => {
  for (let i = 0; i < 6; i++) await subscribe(world.site, from(`198.51.100.${i}`), "hana@example.com");
  expect(world.emails).toHaveLength(3);
});

test("a wrong link is rejected", async () => {
  await expect(confirmSubscription(world.site, { token: "made up", code: "made up" })).rejects.toMatchObject({ code: "invalid" });
});

test("links of an earlier subscription work after subscribing again", async () => {
  await subscribe(world.site, here, "hana@example.com");
  await confirmSubscription(world.site, mailedLink(0));
  await unsubscribe(world.site, mailedLink(0).token);
  await subscribe(world.site, here, "hana@example.com");
  await subscribe(world.site, here, "ivo@example.com");
  await unsubscribe(world.site, mailedLink(0).token);
  expect(await subscribers()).toMatchObject([{ email: "ivo@example.com" }]);
});

test("unsubscribing removes the address", async () => {
  await subscribe(world.site, here, "hana@example.com");
  await unsubscribe(world.site, mailedLink(0).token);
  await unsubscribe(world.site, mailedLink(0).token);
  expect(await subscribers()).toEqual([]);
});
