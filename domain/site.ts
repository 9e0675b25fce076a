import type { Auth } from "#domain/accounts/sign-in/auth.server.ts";
import type { Background } from "#platform/background.ts";
import type { Config } from "#platform/config.ts";
import { isDeadlock } from "#platform/database/deadlock.ts";
import type { Engine } from "#platform/database/engine.ts";
import type { DatabaseLoad } from "#platform/database/load.ts";
import type { Database, DatabaseTransaction } from "#platform/database/open.ts";
import type { Versions } from "#platform/database/version.ts";
import type { Event } from "#platform/events/event-log.ts";
import type { Events } from "#platform/events/events.ts";
import type { Fetcher } from "#platform/fetch/fetcher.ts";
import type { HttpPoster } from "#platform/fetch/poster.ts";
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
  poster: HttpPoster;
  auth: Auth;
  log: Log;
  background: Background;
  settings: Settings;
  reloadSettings(): Promise<void>;
  url: string;
  adminEmails: string[];
  /** The operators' address, if configured. */
  contactEmail: string | undefined;
  secret: string;
  storageConfig: StorageConfig;
  now(): number;
};

export type Outbox = {
  /** Returns a promise in tests only, so that emails are sent before a verb returns. */
  wake(site: Site): Promise<void> | void;
  close(): void;
};

export type Webhooks = {
  /** Without a query: sites without webhooks pay nothing. */
  wants(kind: ChangeKind): boolean;
  /** Private networks and http:// are allowed. */
  allowPrivate: boolean;
  write(tx: SiteTransaction, changes: PublishedChange[]): Promise<void>;
  reload(): Promise<void>;
  wake(site: Site): void;
  close(): void;
};

export type PublishedChange = { [Kind in ChangeKind]: { kind: Kind; change: ChangeOf<Kind> } }[ChangeKind];

export type StorageConfig = Pick<Config, "dataDir" | "databaseUrl" | "databaseConnections" | "s3" | "offsite">;

export type SiteTransaction = {
  db: DatabaseTransaction;
  engine: Engine;
  settings: Settings;
  url: string;
  now(): number;
  /** Publishes a change after the commit. */
  changed: RecordChanged;
  /** Runs at the end of the transaction, for work that blocks others. Its changes are stored by then, so it can't add any. */
  beforeCommit(work: () => Promise<void>): void;
  /** Runs after a successful commit. Failures are logged. */
  afterCommit(work: AfterCommit): void;
};

type RecordChanged = <Kind extends ChangeKind>(kind: Kind, change: ChangeOf<Kind>) => void;
type AfterCommit = (site: Site) => Promise<void> | void;

const maxTries = 3;

/**
 * Repeats `work` if PostgreSQL ends the transaction because of a deadlock, so it must change nothing outside the transaction that a second
 * run would change again.
 */
export async function transaction<Result>(site: Site, work: (tx: SiteTransaction) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryTransaction(site, work);
    } catch (err) {
      if (tries === maxTries || !isDeadlock(err)) throw err;
      site.log.warn({ err }, "a transaction is repeated after a deadlock");
    }
  }
}

async function tryTransaction<Result>(site: Site, work: (tx: SiteTransaction) => Promise<Result>): Promise<Result> {
  const events: Event[] = [];
  const last: (() => Promise<void>)[] = [];
  const after: AfterCommit[] = [];
  const webhookChanges: PublishedChange[] = [];
  const result = await site.db.transaction().execute(async (db) => {
    const tx: SiteTransaction = {
      db,
      engine: site.engine,
      settings: site.settings,
      url: site.url,
      now: site.now,
      changed: (kind, change) => {
        if (site.webhooks.wants(kind)) webhookChanges.push({ kind, change } as PublishedChange);
        const parts = changeParts(kind, change);
        if (changes[kind].isBroadcast) after.push(() => broadcast(site, parts));
        else events.push(...parts);
      },
      beforeCommit: (each) => last.push(each),
      afterCommit: (each) => after.push(each),
    };
    const result = await work(tx);
    if (webhookChanges.length > 0) await site.webhooks.write(tx, webhookChanges);
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

/** The person making the request; null for a visitor. */
export type Viewer = Member | null;

export const staffRoles = ["moderator", "administrator"] as const;
export type StaffRole = (typeof staffRoles)[number];

export type Member = {
  id: string;
  name: string;
  email: string;
  sessionId: string | null;
  /** Address confirmed, or confirmation not required. */
  isEmailConfirmed: boolean;
  /** Null for other members, and while a required second step is missing. */
  staff: StaffRole | null;
  /** Would be staff with a second step. */
  awaitsSecondStep: boolean;
  hasPasskey?: boolean;
  isReauthenticated: boolean;
  /** Milliseconds. Null if not suspended; always null for staff. */
  suspendedUntil: number | null;
  profileImage: string | null;
  /** Truncated address (`IPv4/24`, `IPv6/48`); undefined for jobs and the console. */
  network?: string | undefined;
};

/** For work without a request. */
export function memberWithoutSession(member: Pick<Member, "id" | "name" | "email"> & Partial<Member>): Member {
  const none = { sessionId: null, staff: null, awaitsSecondStep: false, suspendedUntil: null, profileImage: null };
  return { isEmailConfirmed: true, isReauthenticated: false, ...none, ...member };
}
