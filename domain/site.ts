import type { Auth } from "#domain/accounts/sign-in/auth.server.ts";
import type { Background } from "#platform/background.ts";
import type { Config } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import type { DatabaseLoad } from "#platform/database/load.ts";
import type { Database, DatabaseTransaction } from "#platform/database/open.ts";
import type { Versions } from "#platform/database/version.ts";
import type { Event } from "#platform/events/event-log.ts";
import type { Events } from "#platform/events/events.ts";
import type { Fetcher } from "#platform/fetch/fetcher.ts";
import type { Poster } from "#platform/fetch/poster.ts";
import type { FileStore } from "#platform/files/file-store.ts";
import type { Log } from "#platform/log.ts";
import type { Mail } from "#platform/mail/mail.ts";
import type { Renderer } from "#platform/markup/renderer.ts";
import { type ChangeKind, type ChangeOf, changeParts, changes, type Outgoing } from "./changes.ts";
import type { SiteMemory } from "./memory.ts";
import type { Presence } from "./messages/presence.server.ts";
import type { Settings } from "./settings/settings.ts";

export type Site = {
  db: Database;
  engine: Engine;
  databaseLoad: DatabaseLoad;
  versions: Versions;
  memory: SiteMemory;
  files: FileStore;
  mail: Mail;
  outbox: Outbox;
  webhooks: Webhooks;
  events: Events;
  presence: Presence;
  renderer: Renderer;
  fetcher: Fetcher;
  poster: Poster;
  auth: Auth;
  log: Log;
  background: Background;
  settings: Settings;
  reloadSettings(): Promise<void>;
  url: string;
  adminEmails: string[];
  /** Where people reach those who run the site; undefined where the operator names none. */
  contactEmail: string | undefined;
  secret: string;
  places: StorageConfig;
  /** Milliseconds since 1970. */
  now(): number;
};

/** Sends the emails that were written into the table of that name: domain/mail/outbox/. */
export type Outbox = {
  /** Begins to send what is due, unless that is under way. In tests there is a promise, so that emails are there when a verb returns. */
  wake(site: Site): Promise<void> | void;
  close(): void;
};

/** Tells programs of the operator what changes: domain/webhooks/. */
export type Webhooks = {
  /** Known without asking the database: a site without webhooks pays nothing. */
  wants(kind: ChangeKind): boolean;
  /** Whether addresses may be unencrypted or on this machine's own network. */
  allowPrivate: boolean;
  /** Into the table of what is to be delivered, with the transaction. */
  write(tx: SiteTransaction, changes: MadeChange[]): Promise<void>;
  reload(): Promise<void>;
  wake(site: Site): void;
  close(): void;
};

export type MadeChange = { [Kind in ChangeKind]: { kind: Kind; change: ChangeOf<Kind> } }[ChangeKind];

export type StorageConfig = Pick<Config, "dataDir" | "databaseUrl" | "databaseConnections" | "s3" | "offsite">;

export type SiteTransaction = {
  db: DatabaseTransaction;
  engine: Engine;
  settings: Settings;
  url: string;
  now(): number;
  /** Says what the transaction changes, for anyone who may learn of it: after the commit, or never. */
  changed: RecordChanged;
  /** Runs when everything else in the transaction is done, in the order given: for what others would wait for. */
  atEnd(work: () => Promise<void>): void;
  /** Runs after the commit, in the order given, or never. A failure is logged: what was saved stays saved. */
  afterCommit(work: AfterCommit): void;
};

export type RecordChanged = <Kind extends ChangeKind>(kind: Kind, change: ChangeOf<Kind>) => void;
export type AfterCommit = (site: Site) => Promise<void> | void;

export async function transaction<Result>(site: Site, work: (tx: SiteTransaction) => Promise<Result>): Promise<Result> {
  const events: Event[] = [];
  const last: (() => Promise<void>)[] = [];
  const after: AfterCommit[] = [];
  const wanted: MadeChange[] = [];
  const result = await site.db.transaction().execute(async (db) => {
    const tx: SiteTransaction = {
      db,
      engine: site.engine,
      settings: site.settings,
      url: site.url,
      now: site.now,
      changed: (kind, change) => {
        if (site.webhooks.wants(kind)) wanted.push({ kind, change } as MadeChange);
        const parts = changeParts(kind, change);
        if (changes[kind].isBroadcast) after.push(() => broadcast(site, parts));
        else events.push(...parts);
      },
      atEnd: (each) => last.push(each),
      afterCommit: (each) => after.push(each),
    };
    const result = await work(tx);
    if (wanted.length > 0) await site.webhooks.write(tx, wanted);
    if (events.length > 0) await site.events.append(db, events, site.now());
    for (const each of last) await each();
    return result;
  });
  if (events.length > 0) site.events.wake();
  for (const each of after) await runAfterCommit(site, each);
  return result;
}

function broadcast({ events }: Site, parts: Outgoing[]): void {
  for (const part of parts) events.broadcasts.send(part);
}

async function runAfterCommit(site: Site, work: AfterCommit): Promise<void> {
  try {
    await work(site);
  } catch (err) {
    site.log.error({ err }, "work after a commit failed");
  }
}

/** Who looks or acts: a signed-in member, or null for a visitor. A verb's second argument. */
export type Viewer = Member | null;

export const staffRoles = ["moderator", "administrator"] as const;
export type StaffRole = (typeof staffRoles)[number];

export type Member = {
  id: string;
  name: string;
  email: string;
  /** The session this person came in with; null for jobs and consoles. */
  sessionId: string | null;
  /** Has opened the link in the mail, or doesn't have to on this site. */
  confirmed: boolean;
  /** What they are on the staff; null for everybody else, and for who needs a second step first. */
  staff: StaffRole | null;
  /** They are on the staff as soon as they have set up a second step. */
  awaitsSecondStep: boolean;
  /** Not known of those who came without a session. */
  hasPasskey?: boolean;
  verified: boolean;
  /** Until when someone on the staff has suspended them; null, and for staff always null, when nobody has. */
  suspendedUntil: number | null;
  profileImage: string | null;
  /** From where this request came, cut off (`IPv4/24`, `IPv6/48`); undefined for jobs and consoles. */
  network?: string | undefined;
};
