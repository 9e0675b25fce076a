import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { saveSettingsAsOperator } from "#domain/settings/settings.server.ts";
import type { Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { days, hours } from "#platform/time.ts";
import { closeSite, openSite } from "#server/site.ts";
import { type RunningServer, startServer } from "../support/process.ts";
import { type Clock, openClock } from "./clock.ts";
import { openCommunity } from "./community.ts";
import { checkConsistency } from "./consistency.ts";
import { compareThirds, countRows, type Figure, readUsage, type Sample, sampleSite, type TransientTable } from "./growth.ts";
import { startMailServer } from "./mail-server.ts";
import { ResponseCounts, RetryingClient } from "./retrying-client.ts";

/** `pauseMs`: between two actions of a person. */
export type SoakOptions = { people: number; lastsMs: number; days: number; pauseMs: number };

export type SoakResult = {
  figures: Figure[];
  /** By the site's clock. */
  days: number;
  answers: ResponseCounts;
  messages: number;
  emails: number;
  /** Rows a hundred days after the last visitor. */
  later: Record<TransientTable, number>;
};

/** These tables have only a few rows left by then. */
export const shortLivedTables: readonly TransientTable[] = ["sessions", "verifications", "subscribers", "attempts", "views", "events"];
export const maxLeftRows = 10;
const absenceDays = 100;
const sweepTimeoutMs = 60_000;
const samples = 60;

/**
 * Members use a site while its clock runs through many days; then the site is idle for a hundred.
 * @throws Error for acknowledged but lost writes and inconsistent data
 */
export async function soak(amount: SoakOptions, engine: Engine, report: (what: string) => void = () => {}): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-soak-"));
  const figures = join(folder, "figures");
  const mailbox = await startMailServer();
  const skips = { everyMs: amount.lastsMs / (amount.days * 4), skipMs: hours(6) };
  const clock = openClock(skips);
  const server = await startServer({ ...clock.environment, CLOCK_FIGURES: figures, SMTP_URL: mailbox.url, LOG_LEVEL: "error" }, engine);
  const site = { ...(await openSite(readConfig(server.environment), createLog("silent"))), now: clock.now };
  try {
    // Backups have proofs of their own, and their lease doesn't survive skipped hours.
    await saveSettingsAsOperator(site, { backupEvery: 0 });
    const community = await openCommunity(site, { ...amount, url: server.url });
    const [from, began] = [Date.now(), clock.now()];
    const siteSamples: Sample[] = [];
    for (let sample = 1; sample <= samples; sample++) {
      await wait(Math.max(0, from + (sample * amount.lastsMs) / samples - Date.now()));
      siteSamples.push(await sampleSite(site, server.dataDir));
      if (sample % 10 === 0) report(`${community.answers.answered} answers, ${community.messages()} messages`);
    }
    const [to, passed] = [Date.now(), (clock.now() - began) / days(1)];
    await community.end();
    await checkConsistency(site, server.dataDir);
    await server.stop();
    const later = await restartLater(site, server, openClock({ ...skips, aheadDays: passed + absenceDays }));
    const thirds = compareThirds([...readUsage(figures), ...siteSamples], { from, to, days: passed });
    return { figures: thirds, days: passed, answers: community.answers, messages: community.messages(), emails: mailbox.arrived(), later };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${server.output().slice(-2_000)}`, { cause: error });
  } finally {
    await closeSite(site);
    await server.close();
    await mailbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The site restarts for one visitor, which cleans up rows that are not removed hourly. */
async function restartLater(site: Site, { dataDir, environment }: RunningServer, clock: Clock): Promise<Record<TransientTable, number>> {
  const { SITE_URL: _, CLOCK_FIGURES: __, ...same } = environment;
  const server = await startServer({ ...same, DATA_DIR: dataDir, ...clock.environment });
  try {
    const visitor = new RetryingClient(server.url, 0, new ResponseCounts());
    const { id } = await site.db.selectFrom("posts").select("id").executeTakeFirstOrThrow();
    await visitor.post(`/post/${id}/view`, {});
    await visitor.post("/forgot-password", { email: "nobody@mixed.example" });
    for (const end = Date.now() + sweepTimeoutMs; ; await wait(200)) {
      const rows = await countRows(site);
      if (Date.now() > end || shortLivedTables.every((table) => rows[table] <= maxLeftRows)) return rows;
    }
  } finally {
    await server.close();
  }
}
