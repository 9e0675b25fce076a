import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { saveSettingsAsOperator } from "#domain/settings/settings.server.ts";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { minutes } from "#platform/time.ts";
import { closeSite, openSite } from "#server/site.ts";
import { type RunningServer, startServer } from "../support/process.ts";
import { openClock } from "./clock.ts";
import { openCommunity } from "./community.ts";
import { checkConsistency } from "./consistency.ts";
import { startMailServer } from "./mail-server.ts";
import { openProxy } from "./proxy.ts";
import type { ResponseCounts } from "./retrying-client.ts";

/** `everyMs`: the least time between restarts, ten minutes by the site's clock. */
export type RestartOptions = { restarts: number; people: number; everyMs: number; pauseMs: number };

/** `downMs`: the longest downtime of a process. */
export type RestartResult = { restarts: number; answers: ResponseCounts; messages: number; downMs: number };

/**
 * Restarts a site by SIGTERM while people use it: on SQLite its only process, which they reach directly; on PostgreSQL one of two in turn,
 * behind a proxy. @throws Error for acknowledged but lost writes, an exit with an error, and inconsistent data
 */
export async function restartUnderLoad(
  { restarts, people, everyMs, pauseMs }: RestartOptions,
  engine: Engine,
  report: (what: string) => void = () => {},
): Promise<RestartResult> {
  const dataDir = mkdtempSync(join(tmpdir(), "inkstead-restarts-"));
  const [mailbox, proxy] = [await startMailServer(), await openProxy()];
  const clock = openClock({ everyMs, skipMs: minutes(10) - everyMs });
  const servers = await startSite(
    engine,
    { ...clock.environment, DATA_DIR: dataDir, SMTP_URL: mailbox.url, LOG_LEVEL: "error" },
    proxy.url,
  );
  const [first] = servers as [RunningServer];
  proxy.targets.push(...servers.map(({ url }) => url.replace("localhost", "127.0.0.1")));
  const site = { ...(await openSite(readConfig(first.environment), createLog("silent"))), now: clock.now };
  try {
    await saveSettingsAsOperator(site, { backupEvery: 0 });
    const community = await openCommunity(site, { url: site.url, people, pauseMs });
    let downMs = 0;
    for (let restart = 1; restart <= restarts; restart++) {
      const next = performance.now() + everyMs;
      const server = servers[restart % servers.length] as RunningServer;
      const stoppedAt = performance.now();
      const code = await server.stop();
      if (code !== 0) throw new Error(`the process ended with ${code} on SIGTERM:\n${server.output().slice(-2_000)}`);
      await server.start();
      downMs = Math.max(downMs, performance.now() - stoppedAt);
      if (restart % 5 === 0) report(`${restart} restarts, ${community.answers.answered} answers`);
      await wait(Math.max(0, next - performance.now()));
    }
    await community.end();
    await checkConsistency(site, dataDir);
    return { restarts, answers: community.answers, messages: community.messages(), downMs };
  } finally {
    await closeSite(site);
    for (const server of servers.toReversed()) await server.close();
    await Promise.all([mailbox.close(), proxy.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Closing the first one drops its database, so it is closed last. */
async function startSite(engine: Engine, chosen: Record<string, string>, proxyUrl: string): Promise<RunningServer[]> {
  if (engine === "sqlite") return [await startServer(chosen)];
  const first = await startServer({ ...chosen, SITE_URL: proxyUrl }, engine);
  const { DATABASE_URL = "", SECRET = "" } = first.environment;
  return [first, await startServer({ ...chosen, SITE_URL: proxyUrl, DATABASE_URL, SECRET })];
}
