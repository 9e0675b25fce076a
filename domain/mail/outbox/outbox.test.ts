import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Site, transaction } from "#domain/site.ts";
import type { Mail } from "#platform/mail/mail.ts";
import { hours, minutes } from "#platform/time.ts";
import { plansOf } from "../../../tests/support/query-plans.ts";
import { openWorld, type World } from "../../../tests/support/world.ts";
import { sendEmail, sendEmailNow } from "../send-email.server.ts";
import { claimEmails } from "./claims.server.ts";
import { BackgroundOutbox } from "./outbox.server.ts";
import { sweepEmails } from "./sweep-emails.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const email = (to = "ana@example.com") => ({ kind: "security" as const, to, subject: "Hello", text: "a secret token" });
const rows = () => world.site.db.selectFrom("outbox").selectAll().orderBy("number").execute();
const states = async () => (await rows()).map(({ state }) => state);

/** Another process of the same site, with a mail of its own that has the server's answers. */
function processWith(send: Mail["send"], mail: Partial<Mail> = {}): Site {
  return { ...world.site, outbox: new BackgroundOutbox(), mail: { delivers: true, send, ...mail } };
}

async function deliver(site: Site): Promise<void> {
  await site.outbox.wake(site);
  await site.background.settled();
}

const answer = (responseCode: number, command: string, response = `${responseCode} no`) =>
  Object.assign(new Error(response), { responseCode, command, response });

describe("an email", () => {
  test("is sent if the transaction commits, and only then", async () => {
    await expect(
      transaction(world.site, async (tx) => {
        await sendEmail(tx, email());
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    expect(await rows()).toEqual([]);
    await sendEmailNow(world.site, email());
    expect(world.emails).toMatchObject([{ to: "ana@example.com", subject: "Hello", text: "a secret token" }]);
    expect(world.emails[0]?.html).toContain("<p>a secret token</p>");
  });

  test("its text is deleted once it is sent, and its row after a week", async () => {
    await sendEmailNow(world.site, email());
    expect(await rows()).toMatchObject([{ state: "sent", message: null, finishedAt: world.site.now() }]);
    world.clock.advance(hours(24 * 7));
    await sweepEmails(world.site);
    expect(await rows()).toEqual([]);
  });

  test("is retried with growing delays while the server rejects it temporarily", async () => {
    const send = vi.fn(() => Promise.reject(answer(451, "RCPT TO")));
    const site = processWith(send);
    await sendEmailNow(site, email());
    await deliver(site);
    expect(await rows()).toMatchObject([{ state: "waiting", tries: 1, problem: expect.stringContaining("for now") }]);
    await deliver(site);
    expect(send).toHaveBeenCalledTimes(1);
    world.clock.advance(minutes(1));
    await deliver(site);
    world.clock.advance(minutes(1));
    await deliver(site);
    expect(send).toHaveBeenCalledTimes(2);
    world.clock.advance(minutes(4));
    await deliver(world.site);
    expect(world.emails).toHaveLength(1);
    expect(await states()).toEqual(["sent"]);
  });

  test("is given up when it expires", async () => {
    const site = processWith(() => Promise.reject(new Error("no route to host")));
    await sendEmailNow(site, { ...email(), kind: "recovery" });
    await deliver(site);
    world.clock.advance(hours(1));
    await deliver(site);
    expect(await rows()).toMatchObject([{ state: "failed", message: null, problem: expect.stringContaining("no route to host") }]);
  });

  test.each([
    ["its address is refused", answer(550, "RCPT TO"), "failed", ["ana@example.com"]],
    ["relaying is denied", answer(554, "RCPT TO", "554 5.7.1 <ana@example.com>: Relay access denied"), "waiting", []],
    ["relaying is denied without a code", answer(550, "RCPT TO", "550 relay not permitted"), "waiting", []],
    ["the mailbox is unknown", answer(550, "RCPT TO", "550 5.1.1 User unknown in relay recipient table"), "failed", ["ana@example.com"]],
    ["its content is refused", answer(554, "DATA"), "failed", []],
    ["the site's sender is refused", answer(553, "MAIL FROM"), "waiting", []],
    ["the login is wrong", Object.assign(answer(535, "AUTH PLAIN"), { code: "EAUTH" }), "waiting", []],
    ["no server answers", Object.assign(new Error("refused"), { code: "ESOCKET", command: "CONN" }), "waiting", []],
  ])("has the right state if %s", async (_why, error, state, dead) => {
    const site = processWith(() => Promise.reject(error));
    await sendEmailNow(site, email());
    await deliver(site);
    expect(await states()).toEqual([state]);
    const refused = await world.site.db.selectFrom("refused_addresses").select("address").execute();
    expect(refused.map(({ address }) => address)).toEqual(dead);
  });

  test("that the server may have accepted isn't sent again", async () => {
    const site = processWith(async (_email, sending) => {
      await sending?.beforeBody?.();
      throw Object.assign(new Error("closed"), { code: "ECONNECTION", command: "CONN" });
    });
    await sendEmailNow(site, email());
    await deliver(site);
    world.clock.advance(hours(2));
    await deliver(world.site);
    expect(await states()).toEqual(["unknown"]);
    expect(world.emails).toEqual([]);
  });
});

describe("a process that dies", () => {
  const never = new Promise<void>(() => {});

  async function dieWhile(send: Mail["send"]): Promise<void> {
    const background = { repeated: (_name: string, work: unknown) => work } as unknown as Site["background"];
    const reached = vi.fn();
    const site = {
      ...processWith(async (...all) => {
        reached();
        await send(...all);
        reached();
        await never;
      }),
      background,
    };
    await sendEmailNow(site, email());
    await expect.poll(() => reached.mock.calls.length).toBe(2);
  }

  test("before sending an email leaves it to another process, once its claim has ended", async () => {
    await dieWhile(async () => {});
    await deliver(world.site);
    expect(world.emails).toEqual([]);
    world.clock.advance(minutes(2));
    await deliver(world.site);
    expect(world.emails).toHaveLength(1);
  });

  test("while sending an email leaves it to a person", async () => {
    await dieWhile(async (_email, sending) => sending?.beforeBody?.());
    world.clock.advance(minutes(2));
    await deliver(world.site);
    expect(world.emails).toEqual([]);
    expect(await rows()).toMatchObject([{ state: "unknown", problem: expect.stringContaining("may have arrived") }]);
  });

  test("that resumes late sends nothing twice", async () => {
    let wakeUp = () => {};
    const asleep = new Promise<void>((resolve) => (wakeUp = resolve));
    const sent = vi.fn();
    const site = processWith(async (_email, sending) => {
      await asleep;
      await sending?.beforeBody?.();
      sent();
    });
    await sendEmailNow(site, email());
    await expect.poll(async () => (await rows())[0]?.claim).toBeTruthy();
    world.clock.advance(minutes(3));
    const other = processWith(async (each) => void world.emails.push(each));
    other.outbox.wake(other);
    await expect.poll(states).toEqual(["sent"]);
    wakeUp();
    await world.site.background.settled();
    expect(sent).not.toHaveBeenCalled();
    expect(world.emails).toHaveLength(1);
  });
});

describe("many emails", () => {
  test("are sent once each by two processes, those to lists last", async () => {
    const sent: string[] = [];
    const site = processWith(async ({ to }) => void sent.push(to), { maxConcurrent: 4 });
    const quiet = { ...site, outbox: { wake: () => {} } as unknown as Site["outbox"] };
    for (let i = 0; i < 60; i++) await sendEmailNow(quiet, { ...email(`list-${i}@example.com`), kind: "newsletter" });
    await sendEmailNow(quiet, email("ana@example.com"));
    const other = { ...site, outbox: new BackgroundOutbox() };
    other.outbox.wake(other);
    await deliver(site);
    expect(new Set(sent).size).toBe(61);
    expect(sent).toHaveLength(61);
    expect(sent.indexOf("ana@example.com")).toBeLessThan(40);
  });

  test("about followers don't delay password emails", async () => {
    const site = processWith(async () => {}, { perMinute: 10 });
    const quiet = { ...site, outbox: { wake: () => {} } as unknown as Site["outbox"] };
    for (let i = 0; i < 30; i++) await sendEmailNow(quiet, { ...email(`reader-${i}@example.com`), kind: "follower" });
    await sendEmailNow(quiet, { ...email("ana@example.com"), kind: "recovery" });
    expect((await claimEmails(site)).map(({ address }) => address)).toEqual(["ana@example.com"]);
  });

  test("are found by indexes", async () => {
    const quiet = { ...world.site, outbox: { wake: () => {} } as unknown as Site["outbox"] };
    await sendEmailNow(quiet, email());
    const plans = await plansOf(world.site, claimEmails);
    expect(plans.filter((step) => /(SCAN|Seq Scan on) "?outbox\b/.test(step))).toEqual([]);
    expect(plans.filter((step) => step.includes("outbox_expires"))).not.toEqual([]);
  });

  test("stay within the limit of all processes", async () => {
    const sent: string[] = [];
    const site = processWith(async ({ to }) => void sent.push(to), { perMinute: 10 });
    for (let i = 0; i < 25; i++) await sendEmailNow(site, email(`${i}@example.com`));
    const other = { ...site, outbox: new BackgroundOutbox() };
    await deliver(site);
    await deliver(other);
    expect(sent).toHaveLength(10);
    world.clock.advance(minutes(1) + 1);
    await deliver(other);
    expect(sent).toHaveLength(20);
  });

  test("to a list are spread over the minute and leave room for others", async () => {
    const site = processWith(async () => {}, { perMinute: 120 });
    const quiet = { ...site, outbox: { wake: () => {} } as unknown as Site["outbox"] };
    for (let i = 0; i < 150; i++) await sendEmailNow(quiet, { ...email(`list-${i}@example.com`), kind: "newsletter" });
    const claimed = async () => (await claimEmails(site)).map(({ address }) => address);
    expect(await claimed()).toHaveLength(2);
    expect(await claimed()).toEqual([]);
    await sendEmailNow(quiet, email("ana@example.com"));
    expect(await claimed()).toEqual(["ana@example.com"]);
    let isBulk = 2;
    for (let second = 1; second < 59; second++) {
      world.clock.advance(1001);
      isBulk += (await claimed()).length;
    }
    expect(isBulk).toBe(96);
    await sendEmailNow(quiet, email("ben@example.com"));
    expect(await claimed()).toEqual(["ben@example.com"]);
  });

  test("to a list continue in the next second", async () => {
    const sent: string[] = [];
    const [start, from] = [world.site.now(), performance.now()];
    const now = () => Math.floor(start + performance.now() - from);
    const site: Site = { ...processWith(async ({ to }) => void sent.push(to), { perMinute: 300 }), now };
    const quiet = { ...site, outbox: { wake: () => {} } as unknown as Site["outbox"] };
    for (let i = 0; i < 10; i++) await sendEmailNow(quiet, { ...email(`list-${i}@example.com`), kind: "newsletter" });
    await deliver(site);
    expect(sent).toHaveLength(10);
  });
});
