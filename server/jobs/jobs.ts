import { backUpWhenDue } from "#domain/backups/backups.server.ts";
import { sendBackups } from "#domain/backups/offsite.server.ts";
import { recordHeartbeat } from "#domain/dashboard/uptime.server.ts";
import { sendMessageEmails } from "#domain/messages/message-emails.server.ts";
import { removeEndedSuspensions } from "#domain/moderation/suspensions.server.ts";
import { sendNewsletterWhenDue } from "#domain/newsletter/sending.server.ts";
import { sendBundleEmails } from "#domain/notification-channels/bundle-emails.server.ts";
import { sendDigests } from "#domain/notification-channels/digests.server.ts";
import { sendNewPostEmails } from "#domain/notification-channels/new-post-emails.server.ts";
import { sendPushes } from "#domain/notification-channels/pushes.server.ts";
import { fetchPicturesOfNextPost } from "#domain/posts/content.server.ts";
import type { Site } from "#domain/site.ts";
import { minutes, seconds } from "#platform/time.ts";

export type Job = { name: string; everyMs: number; run: (site: Site) => unknown };

/** Recurring jobs of each process. `emails` and `webhooks`: retries, and what another process left behind. */
export const jobs = {
  uptime: { name: "recording this minute's uptime", everyMs: minutes(1), run: recordHeartbeat },
  suspensions: { name: "removing ended suspensions", everyMs: minutes(1), run: removeEndedSuspensions },
  newsletter: { name: "sending the newsletter", everyMs: minutes(1), run: sendNewsletterWhenDue },
  backups: { name: "the scheduled backup", everyMs: minutes(1), run: backUp },
  offsite: { name: "sending backups off-site", everyMs: minutes(1), run: sendOffsite },
  messageEmails: { name: "emailing about messages", everyMs: seconds(30), run: sendMessageEmails },
  bundleEmails: { name: "emailing about notifications", everyMs: seconds(30), run: sendBundleEmails },
  postEmails: { name: "emailing about new stories", everyMs: seconds(30), run: sendNewPostEmails },
  digests: { name: "emailing summaries", everyMs: seconds(30), run: sendDigests },
  emails: { name: "sending emails", everyMs: seconds(5), run: (site) => site.outbox.wake(site) },
  pushes: { name: "sending pushes", everyMs: seconds(5), run: pushInBackground },
  oldPictures: { name: "fetching an old story's pictures", everyMs: seconds(10), run: fetchPicturesOfNextPost },
  webhooks: { name: "calling webhooks", everyMs: seconds(5), run: (site) => site.webhooks.wake(site) },
} satisfies Record<string, Job>;

/** @returns a function that stops them. */
export function startJobs(site: Site): () => void {
  const started = Object.values(jobs).map((job) => startJob(site, job));
  return () => {
    for (const { stop } of started) stop();
  };
}

async function backUp(site: Site): Promise<void> {
  if (await backUpWhenDue(site)) site.log.info("the scheduled backup was made and restore-tested");
}

async function sendOffsite(site: Site): Promise<void> {
  for (const path of await sendBackups(site)) site.log.info({ path }, "a backup was sent off-site");
}

/** In the background, so that a closing process waits for it. The next run begins while this one waits for a silent push service. */
function pushInBackground(site: Site): Promise<void> {
  return new Promise((resolve) => {
    site.background.run("sending pushes", async () => {
      await sendPushes(site, resolve).finally(resolve);
    });
  });
}

/** Runs a job now and at its interval, one run at a time. Logs failures. */
export function startJob(site: Site, { name, everyMs, run }: Job): { firstRun: Promise<void>; stop: () => void } {
  let running = false;
  const next = async () => {
    if (running) return;
    running = true;
    try {
      await run(site);
    } catch (err) {
      site.log.error({ err }, `${name} failed`);
    }
    running = false;
  };
  const firstRun = next();
  const timer = setInterval(() => void next(), everyMs);
  timer.unref();
  return { firstRun, stop: () => clearInterval(timer) };
}
