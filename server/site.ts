import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createAuth } from "#domain/accounts/sign-in/auth.server.ts";
import { BackgroundOutbox } from "#domain/mail/outbox/outbox.server.ts";
import { sendEmailNow } from "#domain/mail/send-email.server.ts";
import { openMemory } from "#domain/memory.ts";
import { Presence } from "#domain/messages/presence.server.ts";
import { watchSettings } from "#domain/settings/settings.server.ts";
import type { Settings } from "#domain/settings/settings.ts";
import type { Site, StorageConfig } from "#domain/site.ts";
import { openWebhooks } from "#domain/webhooks/sending/webhooks.server.ts";
import { Background } from "#platform/background.ts";
import { type Config, ConfigError } from "#platform/config.ts";
import { restrictDataFolder } from "#platform/data-folder.ts";
import { explainFailure } from "#platform/database/explain-failure.ts";
import { isOutdated, isUpToDate, MigrationFailed, migrate } from "#platform/database/migrate.ts";
import { type OpenDatabase, openDatabase } from "#platform/database/open.ts";
import { openVersions } from "#platform/database/version.ts";
import { openEvents } from "#platform/events/events.ts";
import { createFetcher } from "#platform/fetch/fetcher.ts";
import { createPoster } from "#platform/fetch/poster.ts";
import { openFiles } from "#platform/files/open.ts";
import type { Log } from "#platform/log.ts";
import { folderMail, type Mail, smtpMail } from "#platform/mail/mail.ts";
import { createRenderer } from "#platform/markup/renderer.ts";

type SiteOptions = {
  renderingScript?: URL;
  /** False in commands: a process of an older version may be using the database. An empty one is filled all the same. */
  mayUpgrade?: boolean;
};

/** @throws ConfigError with instructions for the operator. */
export async function openSite(config: Config, log: Log, { renderingScript, mayUpgrade = true }: SiteOptions = {}): Promise<Site> {
  await restrictDataFolder(config.dataDir, log);
  const { db, engine, cacheInvalidation, load } = await openMigrated(config, log, mayUpgrade).catch((error) => {
    throw error instanceof MigrationFailed ? notUpgraded(error) : explainFailure(error, config.dataDir);
  });
  const now = () => Date.now();
  const events = await openEvents({ db, engine, databaseUrl: config.databaseUrl, now, log, cacheInvalidation });
  const { settings, reload } = await watchSettings({ db, events, log });
  const mail = openMail(config, settings);
  const { siteUrl: url, secret, adminEmails } = config;
  const site: Site = {
    db,
    engine,
    databaseLoad: load,
    versions: openVersions(db, engine, cacheInvalidation),
    // The other half is for all other queries.
    memory: openMemory({ now, maxLists: Math.max(1, Math.floor(config.databaseConnections / 2)) }),
    files: await openFiles(config),
    mail,
    outbox: new BackgroundOutbox(),
    webhooks: await openWebhooks({ db, events, log, poster: createPoster(config.webhooks), ...config.webhooks }),
    events,
    presence: new Presence(events.broadcasts),
    renderer: createRenderer(renderingScript ? { script: renderingScript } : {}),
    fetcher: createFetcher(),
    poster: createPoster(),
    auth: createAuth({ db, engine, sendEmail: (email) => sendEmailNow(site, email), url, secret, settings, now, log }),
    log,
    background: new Background(log),
    settings,
    reloadSettings: reload,
    url,
    adminEmails,
    contactEmail: config.mail.replyTo,
    secret,
    storageConfig: storageConfigOf(config),
    now,
  };
  return site;
}

function storageConfigOf({ dataDir, databaseUrl, databaseConnections, s3, offsite }: Config): StorageConfig {
  return { dataDir, databaseUrl, databaseConnections, s3, offsite };
}

async function openMigrated(config: Config, log: Log, mayUpgrade: boolean): Promise<OpenDatabase> {
  const opened = openDatabase(config, log);
  if (await isUpToDate(opened.db, opened.engine)) return opened;
  const isRefused = !mayUpgrade && (await isOutdated(opened.db));
  await opened.db.destroy();
  if (isRefused)
    throw new ConfigError("This version has newer migrations than the database. Restart the site first: its start applies them.");
  const applied = await migrate(config, undefined, log);
  if (applied.length > 0) log.info({ applied }, "database migrated");
  return openDatabase(config, log);
}

function notUpgraded({ message }: MigrationFailed): ConfigError {
  return new ConfigError(
    `the database can't be brought up to date. ${message} Nothing in it was changed: start the version that was there before, ` +
      "and see “Upgrades” in docs/operations.md.",
  );
}

function openMail({ smtpUrl, siteUrl, dataDir, mail }: Config, settings: Settings): Mail {
  const { name, address } = mail.from ?? { name: "", address: `no-reply@${new URL(siteUrl).hostname}` };
  const sender = () => ({ name: name || settings.siteName, address });
  return smtpUrl ? smtpMail(smtpUrl, sender, mail) : folderMail(join(dataDir, "mail"), sender, mail);
}

const backgroundTimeoutMs = 15_000;

export async function closeSite(site: Site): Promise<void> {
  site.outbox.close();
  site.webhooks.close();
  await Promise.race([site.background.settled(), wait(backgroundTimeoutMs, undefined, { ref: false })]);
  site.mail.close?.();
  site.presence.close();
  await site.events.close();
  await site.renderer.close();
  await site.files.close();
  await site.db.destroy();
}
