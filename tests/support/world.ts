import { randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inject, vi } from "vitest";
import { BackgroundOutbox } from "#domain/mail/outbox/outbox.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { type Config, defaultApi } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import type { EmailMessage, Mail } from "#platform/mail/mail.ts";
import { createRenderer } from "#platform/markup/renderer.ts";
import { closeSite, openSite } from "#server/site.ts";
import { borrowDatabase } from "../postgres/reused-databases.ts";
import { lowerHashCost, memberNamed, type PersonName, people } from "./people.ts";
import { worldStart } from "./template.ts";

export { addMember, signIn } from "./members.ts";
export { password } from "./people.ts";

/** A site of its own, with database, files, mail, clock and four people. */
export type World = Record<PersonName, Member> & {
  site: Site;
  /** Sent emails, oldest first. */
  emails: EmailMessage[];
  clock: Clock;
  dataDir: string;
  /** For a process on the same site. */
  environment: Record<string, string>;
  close(): Promise<void>;
};

/** The process's time. It stands still between calls; `expect.poll` advances it by its interval after each failed look. */
export type Clock = { advance(milliseconds: number): void; set(time: number): void };

lowerHashCost();
/** Shared by all worlds of a process: it takes 200 ms to start. */
const renderer = createRenderer({ limitMs: 20_000, hourlyMs: Number.POSITIVE_INFINITY });
let open = 0;

/** Close it in `afterEach` or `afterAll`. `chosen` overrides the configuration. */
export async function openWorld(chosen: Partial<Config> = {}): Promise<World> {
  if (open++ === 0) vi.useFakeTimers({ toFake: ["Date"], now: worldStart });
  const { config: fresh, remove } = await freshData();
  const config = { ...fresh, ...chosen };
  const site = await openSite(config, createLog(process.env.TEST_LOG ?? "silent"));
  const opened = { ...site };
  const emails: EmailMessage[] = [];
  const mail: Mail = { delivers: true, send: async (emailMessage) => void emails.push(emailMessage) };
  // The same object, because accounts hold it to send emails.
  Object.assign(site, { mail, outbox: new PromptOutbox(mail.send), renderer });
  const names = Object.keys(people) as PersonName[];
  return {
    ...(Object.fromEntries(names.map((name) => [name, memberNamed(name)])) as Record<PersonName, Member>),
    site,
    emails,
    clock: { advance: (milliseconds) => void vi.setSystemTime(Date.now() + milliseconds), set: (time) => void vi.setSystemTime(time) },
    dataDir: config.dataDir,
    environment: environmentOf(config),
    async close() {
      await closeSite(opened);
      await remove();
      if (--open === 0) vi.useRealTimers();
    },
  };
}

async function freshData(): Promise<{ config: Config; remove(): Promise<void> }> {
  const dataDir = join(inject("folder"), randomUUID());
  mkdirSync(dataDir);
  const database = inject("engine") === "postgres" ? await borrowDatabase(inject("postgresTemplate")) : undefined;
  if (!database) copyFileSync(inject("sqliteTemplate"), join(dataDir, "inkstead.db"));
  const config = {
    host: "127.0.0.1",
    port: 0,
    siteUrl: "http://inkstead.test",
    proxies: [],
    dataDir,
    databaseUrl: database?.url,
    databaseConnections: 10,
    requestLimitFactor: 1,
    loopLagLimit: 1_500,
    s3: undefined,
    offsite: undefined,
    smtpUrl: undefined,
    mail: { from: undefined, replyTo: undefined, perMinute: 300, dkim: undefined },
    adminEmails: [],
    contactEmail: undefined,
    secret: "a secret that only the tests know",
    webhooks: { allowPrivate: true },
    metrics: { host: "127.0.0.1", port: undefined, token: undefined },
    logLevel: undefined,
    api: defaultApi,
  };
  const remove = async () => {
    rmSync(dataDir, { recursive: true, force: true });
    await database?.giveBack();
  };
  return { config, remove };
}

function environmentOf({ siteUrl, dataDir, databaseUrl, secret }: Config): Record<string, string> {
  return { SITE_URL: siteUrl, DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? "", SECRET: secret };
}

/** Emails of a verb are in `emails` when it returns. Mail that a test sets is not awaited, as on a real site. */
class PromptOutbox extends BackgroundOutbox {
  readonly #send: Mail["send"];

  constructor(send: Mail["send"]) {
    super();
    this.#send = send;
  }

  override wake(site: Site): Promise<void> | void {
    const run = this.run(site);
    return site.mail.send === this.#send ? run : undefined;
  }
}
