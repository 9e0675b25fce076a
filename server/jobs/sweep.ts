import { setTimeout as wait } from "node:timers/promises";
import { finishDeletions } from "#domain/account-deletion/cleanups.server.ts";
import { sweepSecurityEvents } from "#domain/accounts/security/security-log.server.ts";
import { sweepDevices } from "#domain/accounts/sign-in/record-sign-in.server.ts";
import { sweepSessions } from "#domain/accounts/sign-in/sessions.server.ts";
import { sweepBackups } from "#domain/backups/backups.server.ts";
import { sweepFaults } from "#domain/faults/faults.server.ts";
import { sweepUnattached } from "#domain/files/files.server.ts";
import { sweepEmails } from "#domain/mail/outbox/sweep-emails.server.ts";
import { sweepDeleted } from "#domain/moderation/sweep-deleted.server.ts";
import { sweepUnconfirmed } from "#domain/newsletter/subscribers.server.ts";
import { sweepNotifications } from "#domain/notifications/sweep-notifications.server.ts";
import { sweepViews } from "#domain/posts/views.server.ts";
import type { Site } from "#domain/site.ts";
import { sweepDeliveries } from "#domain/webhooks/deliveries.server.ts";
import { hours } from "#platform/time.ts";

const stopTimeoutMs = 5_000;

/**
 * Removes expired data now and every hour. Unattached files only after an hour: a form may still refer to them, also after a restart.
 * @returns a function that stops it.
 */
export async function startSweep(site: Site): Promise<() => void> {
  await Promise.race([sweep(site, site.now() - hours(1)), wait(stopTimeoutMs, undefined, { ref: false })]);
  const timer = setInterval(() => void sweep(site, site.now() - hours(1)), hours(1));
  timer.unref();
  return () => clearInterval(timer);
}

async function sweep(site: Site, before: number): Promise<void> {
  try {
    await sweepSessions(site);
    await sweepDevices(site);
    await sweepSecurityEvents(site);
    await sweepViews(site);
    await sweepUnconfirmed(site);
    await sweepEmails(site);
    await sweepFaults(site);
    await sweepDeliveries(site);
    await sweepDeleted(site);
    await sweepNotifications(site);
    await sweepUnattached(site, before);
    await sweepBackups(site);
    await finishDeletions(site);
  } catch (error) {
    site.log.error({ err: error }, "the cleanup failed");
  }
}
