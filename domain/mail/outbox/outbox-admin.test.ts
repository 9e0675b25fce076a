import { afterEach, beforeEach, expect, test } from "vitest";
import { listAudit } from "#domain/audit/audit.server.ts";
import type { Site } from "#domain/site.ts";
import { openWorld, type World } from "../../../tests/support/world.ts";
import { sendEmailNow } from "../send-email.server.ts";
import { BackgroundOutbox } from "./outbox.server.ts";
import { countEmails, discardEmail, listEmails, sendAgain, sendTestEmail } from "./outbox-admin.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

/** @returns the number of an email to this address that the mail server refused. */
async function fail(address: string): Promise<number> {
  const send = () => Promise.reject(Object.assign(new Error("550 no such mailbox"), { responseCode: 550, command: "RCPT TO" }));
  const site: Site = { ...world.site, outbox: new BackgroundOutbox(), mail: { delivers: true, send } };
  await sendEmailNow(site, { kind: "security", to: address, subject: "Hello", text: "a secret token" });
  await site.background.settled();
  return Number((await listEmails(world.site, world.ruth, { list: "failed", limit: 1 })).emails[0]?.number);
}

test("administrators see why an email failed, without its text, and can send it again", async () => {
  const number = await fail("ana@example.com");
  const { emails } = await listEmails(world.site, world.ruth, { list: "failed", limit: 20 });
  expect(emails).toMatchObject([{ number, address: "ana@example.com", state: "failed", canBeSent: true }]);
  expect(emails[0]?.problem).toContain("The mail server rejected this address.");
  expect(JSON.stringify(emails)).not.toContain("secret");
  await sendAgain(world.site, world.ruth, number);
  expect(world.emails.map(({ to }) => to)).toEqual(["ana@example.com"]);
  expect(await countEmails(world.site, world.ruth)).toEqual({ waiting: 0, failed: 0, sent: 1 });
  await expect(sendAgain(world.site, world.ruth, number)).rejects.toMatchObject({ code: "conflict" });
  await expect(discardEmail(world.site, world.ruth, number)).rejects.toMatchObject({ code: "conflict" });
});

test("administrators can discard an email; the audit log has both actions, without addresses", async () => {
  await discardEmail(world.site, world.ruth, await fail("ana@example.com"));
  await sendAgain(world.site, world.ruth, await fail("ben@example.com"));
  expect(world.emails.map(({ to }) => to)).toEqual(["ben@example.com"]);
  const { entries } = await listAudit(world.site, world.ruth, { limit: 5 });
  expect(entries.map(({ action }) => action)).toEqual(["email.sent-again", "email.discarded"]);
  expect(JSON.stringify(entries)).not.toContain("@example.com");
});

test("the list is paged", async () => {
  const numbers = [await fail("ana@example.com"), await fail("ben@example.com"), await fail("cleo@example.com")];
  const first = await listEmails(world.site, world.ruth, { list: "failed", limit: 2 });
  const second = await listEmails(world.site, world.ruth, { list: "failed", limit: 2, before: first.next ?? 0 });
  expect([...first.emails, ...second.emails].map(({ number }) => number)).toEqual(numbers.reverse());
  expect(second.next).toBeNull();
});

test("a test email goes to the viewer", async () => {
  await sendTestEmail(world.site, world.ruth);
  expect(world.emails).toMatchObject([{ to: world.ruth.email, subject: "Test email from Inkstead" }]);
});

test.each(["maren", "salma"] as const)("%s has no access", async (name) => {
  const refused = { code: "not-allowed" };
  await expect(countEmails(world.site, world[name])).rejects.toMatchObject(refused);
  await expect(listEmails(world.site, world[name], { list: "sent", limit: 1 })).rejects.toMatchObject(refused);
  await expect(sendTestEmail(world.site, world[name])).rejects.toMatchObject(refused);
});
