import { claimOnce } from "#domain/jobs/lease.server.ts";
import { days, hours } from "#platform/time.ts";
import { dateAndTime } from "../dates.ts";
import { plainEmail } from "../mail/plain-email.ts";
import { sendEmail } from "../mail/send-email.server.ts";
import { type Site, type SiteTransaction, transaction } from "../site.ts";
import { findAdministrators } from "../staff/staff.server.ts";
import { newestBackupAt } from "./runs.server.ts";

/** Shorter failures are often over before anyone reads the email. */
const minLateMs = days(2);
const emailEveryMs = days(7);

type Failures = { since: number; lastReport: string | null; newestAt: number | undefined };

/** Emails administrators, at most once a week, while scheduled backups fail and two are missing. */
export async function emailAboutFailures(site: Site): Promise<void> {
  const failures = await findFailures(site);
  if (!failures) return;
  const { since, newestAt } = failures;
  const lateAfterMs = Math.max(minLateMs, 2 * hours(site.settings.backupEvery));
  if (site.now() - (newestAt ?? since) < lateAfterMs) return;
  await transaction(site, async (tx) => {
    if (await claimOnce(tx, "backup-failures-email", emailEveryMs)) await emailAdministrators(tx, site.adminEmails, failures);
  });
}

/** Of scheduled runs since the newest good backup. One that still counts as running was interrupted: the caller knows that none is. */
async function findFailures(site: Site): Promise<Failures | undefined> {
  const newestAt = await newestBackupAt(site);
  const runs = site.db
    .selectFrom("backup_runs")
    .select(["startedAt", "report"])
    .where("kind", "=", "backup")
    .where("cause", "=", "schedule")
    .where("state", "<>", "good")
    .where("startedAt", ">", newestAt ?? 0)
    .limit(1);
  const [first, last] = await Promise.all([
    runs.orderBy("startedAt").executeTakeFirst(),
    runs.orderBy("startedAt", "desc").executeTakeFirst(),
  ]);
  return first && last && { since: first.startedAt, lastReport: last.report, newestAt };
}

async function emailAdministrators(tx: SiteTransaction, adminEmails: string[], { since, lastReport, newestAt }: Failures): Promise<void> {
  const { siteName } = tx.settings;
  const reason = lastReport === null ? "It was interrupted." : (JSON.parse(lastReport) as { error: string }).error;
  const newest = newestAt === undefined ? "There is no good backup yet." : `The newest good backup is from ${dateAndTime(newestAt)}.`;
  const body = `The backups of ${siteName} have failed since ${dateAndTime(since)}. ${newest} The last one failed for this reason:

${reason}

The site tries again every hour. This page shows the results:

${tx.url}/admin/database`;
  const subject = `Backups are failing (${siteName})`;
  for (const { id: userId, email } of await findAdministrators({ db: tx.db, adminEmails }).select("u.email").execute())
    await sendEmail(tx, { kind: "backup", userId, ...plainEmail(siteName, { to: email, subject, body }) });
}
