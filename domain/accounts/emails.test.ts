import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuth } from "#domain/accounts/sign-in/auth.server.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import type { Site } from "#domain/site.ts";
import { folderMail, type Mail, smtpMail } from "#platform/mail/mail.ts";
import { until } from "../../tests/support/until.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { signUp } from "./accounts.server.ts";
import { confirmEmail } from "./confirmation.server.ts";
import { isRecoveryTokenValid, requestRecovery } from "./recovery.server.ts";

const origin = { ip: "192.0.2.7", userAgent: null };
const sender = () => ({ name: "Inkstead", address: "no-reply@inkstead.test" });

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

function siteWith(mail: Mail): Site {
  const { db, engine, url, secret, settings, now } = world.site;
  const auth = createAuth({ db, engine, sendEmail: (email) => sendEmailNow(site, email), url, secret, settings, now });
  const site: Site = { ...world.site, mail, auth };
  return site;
}

/** What a mail program would show: soft line breaks and `=3D` undone. */
function readable(message: string): string {
  return message.replace(/=\r?\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function tokenIn(message: string, page: string): string {
  return decodeURIComponent(new RegExp(`http://inkstead\\.test/${page}\\?token=(\\S+)`).exec(readable(message))?.[1] ?? "");
}

describe("emails through a mail server", () => {
  const received: { from: string; to: string[]; message: string }[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    onRcptTo: ({ address }, _session, answer) => answer(address.startsWith("bounces") ? new Error("no such mailbox") : null),
    onData(stream, { envelope }, answer) {
      const parts: Buffer[] = [];
      stream.on("data", (part) => parts.push(part));
      stream.on("end", () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        received.push({ from, to: envelope.rcptTo.map((each) => each.address), message: Buffer.concat(parts).toString() });
        answer();
      });
    },
  });
  let site: Site;
  beforeAll(async () => {
    const listening = server.listen(0, "127.0.0.1");
    await once(listening, "listening");
    site = siteWith(smtpMail(`smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`, sender));
  });
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

  const emailTo = (address: string) =>
    until(() => {
      const emailMessage = received.findLast(({ to }) => to.includes(address));
      if (!emailMessage) throw new Error(`nothing for ${address} yet`);
      return emailMessage;
    });

  test("the link that confirms an address arrives and works", async () => {
    const { user } = await signUp(site, origin, { name: "Inês Carvalho", email: "ines@example.com", password: "Lamp-room 1911" });
    const { from, message } = await emailTo(user.email);
    expect(from).toBe("no-reply@inkstead.test");
    expect(message).toContain("Subject: Confirm your email for Inkstead");
    await confirmEmail(site, tokenIn(message, "verify-email"));
    const row = await site.db.selectFrom("users").select("emailVerified").where("id", "=", user.id).executeTakeFirst();
    expect(row).toEqual({ emailVerified: true });
  });

  test("the link for a new password arrives and works", async () => {
    await requestRecovery(site, origin, world.maren.email);
    const { message } = await emailTo(world.maren.email);
    expect(message).toContain("Subject: Reset your Inkstead password");
    expect(await isRecoveryTokenValid(site, tokenIn(message, "reset-password"))).toBe(true);
  });

  test("signing up works when the server refuses the mailbox", async () => {
    await signUp(site, origin, { name: "Kenji Watabe", email: "bounces@example.com", password: "a slow inbox" });
    const row = () => site.db.selectFrom("outbox").selectAll().where("address", "=", "bounces@example.com").executeTakeFirst();
    await until(async () => expect(await row()).toMatchObject({ state: "failed", problem: expect.stringContaining("no such mailbox") }));
    expect(await site.db.selectFrom("refused_addresses").select("address").execute()).toEqual([{ address: "bounces@example.com" }]);
  });
});

test("without a mail server, emails are files in the data folder", async () => {
  const folder = join(world.dataDir, "mail");
  const site = siteWith(folderMail(folder, sender));
  await signUp(site, origin, { name: "Salma Reyes", email: "salma.reyes@example.com", password: "a map of the town" });
  const name = await until(() => {
    const [emailMessage] = readdirSync(folder).filter((name) => /^[^.].*\.eml$/.test(name));
    return emailMessage ?? expect.fail("no letter yet");
  });
  const file = join(folder, name);
  const message = readFileSync(file, "utf8");
  expect(message).toContain("To: salma.reyes@example.com");
  await confirmEmail(site, tokenIn(message, "verify-email"));
});
