import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { BackgroundOutbox } from "#domain/mail/outbox/outbox.server.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import type { Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { hours, minutes } from "#platform/time.ts";
import { closeSite, openSite } from "#server/site.ts";
import { type RunningServer, startServer } from "../support/process.ts";
import { startFaultyMailServer } from "./faulty-mail-server.ts";

export type MailFaultResult = {
  emails: number;
  kills: number;
  sent: number;
  failed: number;
  unknown: number;
  faults: Record<string, number>;
};

/**
 * Sends emails through a faulty mail server while senders are killed, then lets all recover. On PostgreSQL two processes share the work.
 * @throws Error for an email that arrived twice, or a row with a wrong status.
 */
export async function sendThroughFaults(
  kills: number,
  perKill: number,
  engine: Engine,
  report = (_kill: number) => {},
): Promise<MailFaultResult> {
  const smtp = await startFaultyMailServer();
  const servers = await startProcesses(engine, { SMTP_URL: smtp.url, MAIL_PER_MINUTE: "1000000" });
  const site = await openSite(readConfig({ ...servers[0]?.environment, MAIL_PER_MINUTE: "1000000" }), createLog("silent"));
  try {
    let written = 0;
    for (let kill = 1; kill <= kills; kill++) {
      written = await write(site, written, perKill);
      const server = servers[kill % servers.length] as RunningServer;
      await server.kill();
      await server.start();
      await wait(randomInt(600));
      report(kill);
    }
    for (const server of servers) await server.kill();
    smtp.recover();
    await sendRemaining(site);
    return { kills, faults: smtp.faults, ...(await compare(site, written, smtp.arrived)) };
  } finally {
    await closeSite(site);
    for (const server of servers.reverse()) await server.close();
    await smtp.close();
  }
}

async function startProcesses(engine: Engine, chosen: Record<string, string>): Promise<RunningServer[]> {
  const first = await startServer(chosen, engine);
  if (engine === "sqlite") return [first];
  const { DATABASE_URL = "", SECRET = "" } = first.environment;
  return [first, await startServer({ ...chosen, DATABASE_URL, SECRET })];
}

/** This process writes only, so that there is work for the killed ones. */
async function write(site: Site, from: number, count: number): Promise<number> {
  const writer: Site = { ...site, outbox: { wake: () => {}, close: () => {} } };
  for (let number = from; number < from + count; number++)
    await sendEmailNow(writer, { kind: "security", to: `reader-${number}@example.com`, subject: "Test", text: "A line." });
  return from + count;
}

/** Skips hours, so that claims expire and delays end. */
async function sendRemaining(site: Site): Promise<void> {
  for (let later = minutes(5); ; later += hours(1)) {
    const other: Site = { ...site, now: () => Date.now() + later, outbox: new BackgroundOutbox() };
    other.outbox.wake(other);
    await other.background.settled();
    const open = await site.db.selectFrom("outbox").select("number").where("state", "in", ["waiting", "sending"]).limit(1).execute();
    if (open.length === 0) return;
    if (later > hours(100)) throw new Error("emails are still queued");
  }
}

async function compare(site: Site, written: number, arrived: Map<string, number>): Promise<Omit<MailFaultResult, "kills" | "faults">> {
  const rows = await site.db.selectFrom("outbox").select(["address", "state"]).execute();
  if (new Set(rows.map(({ address }) => address)).size !== written) throw new Error(`${written} written, ${rows.length} rows`);
  for (const { address, state } of rows) {
    const times = arrived.get(address) ?? 0;
    if (times > 1) throw new Error(`${address} got ${times} emails`);
    if (state === "sent" && times !== 1) throw new Error(`${address} has status sent, but no email arrived`);
    if (state === "failed" && times !== 0) throw new Error(`${address} has status failed, but the email arrived`);
  }
  const count = (wanted: string) => rows.filter(({ state }) => state === wanted).length;
  return { emails: written, sent: count("sent"), failed: count("failed"), unknown: count("unknown") };
}
