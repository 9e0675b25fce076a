import { setTimeout as wait } from "node:timers/promises";
import { finishDeletions } from "#domain/account-deletion/cleanups.server.ts";
import { sweepSecurityEvents } from "#domain/accounts/security/security-log.server.ts";
import { sweepDevices } from "#domain/accounts/sign-in/record-sign-in.server.ts";
import { sweepSessions } from "#domain/accounts/sign-in/sessions.server.ts";
import { sweepBackups } from "#domain/backups/backups.server.ts";
import { sweepFinishedDrafts } from "#domain/drafts/working-copies.server.ts";
import { sweepErrors } from "#domain/errors/errors.server.ts";
import { sweepUnattached } from "#domain/files/files.server.ts";
import { sweepEmails } from "#domain/mail/outbox/sweep-emails.server.ts";
import { sweepDeleted } from "#domain/moderation/sweep-deleted.server.ts";
import { sweepIssues } from "#domain/newsletter/sending.server.ts";
import { sweepUnconfirmed } from "#domain/newsletter/subscribers.server.ts";
import { sweepNotifications } from "#domain/notifications/sweep-notifications.server.ts";
import { sweepViews } from "#domain/posts/views.server.ts";
import { createMissingProfiles } from "#domain/profiles/profiles.server.ts";
import type { Site } from "#domain/site.ts";
import { sweepDeliveries } from "#domain/webhooks/deliveries.server.ts";
import { isOutage } from "#platform/database/errors.ts";
import { hours } from "#platform/time.ts";
import { startJob } from "./jobs.ts";

const firstSweepWaitMs = 5_000;

/**
 * Removes expired data and finishes what failed, now and every hour. Unattached files only after an hour: a form may still refer to them,
 * also after a restart.
 * @returns a function that stops it.
 */
export async function startSweep(site: Site): Promise<() => void> {
  const { firstRun, stop } = startJob(site, { name: "the cleanup", everyMs: hours(1), run: sweep });
  await Promise.race([firstRun, wait(firstSweepWaitMs, undefined, { ref: false })]);
  return stop;
}

/** In this order: unattached files after what refers to them. */
const sweeps: Record<string, (site: Site, before: number) => unknown> = {
  sessions: sweepSessions,
  devices: sweepDevices,
  "security events": sweepSecurityEvents,
  views: sweepViews,
  "finished drafts": sweepFinishedDrafts,
  "unconfirmed subscribers": sweepUnconfirmed,
  emails: sweepEmails,
  newsletters: sweepIssues,
  errors: sweepErrors,
  "webhook deliveries": sweepDeliveries,
  "deleted stories": sweepDeleted,
  notifications: sweepNotifications,
  files: sweepUnattached,
  backups: sweepBackups,
  "account deletions": finishDeletions,
  "missing profiles": createMissingProfiles,
};

/** A failing sweep doesn't keep the others from running, unless the database is out. */
async function sweep(site: Site): Promise<void> {
  const before = site.now() - hours(1);
  for (const [name, run] of Object.entries(sweeps)) {
    try {
      await run(site, before);
    } catch (error) {
      site.log.error({ err: error }, `the cleanup of ${name} failed`);
      if (isOutage(error)) return;
    }
  }
}
