import { setTimeout as wait } from "node:timers/promises";
import type { Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import type { RunningServer } from "../support/process.ts";
import { until } from "../support/until.ts";
import { checkConsistency } from "./consistency.ts";
import { openMixedLoad } from "./mixed-load.ts";

/** How long a response may take beyond the outage. Generous: a busy machine is slow, not wrong. */
const graceMs = 10_000;

/** `during`: statuses of pages and saves during the outage. Losses are thrown. */
export type Outage = { acknowledged: number; during: { page: number[]; saves: number[] }; recoveredMs: number };

export type OutageOptions = {
  server: RunningServer;
  /** The data, opened without the fault. */
  environment: Record<string, string>;
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
  durationMs: number;
  /** Continues until a save is refused, which takes longer on a busy machine. */
  refusesSaves?: boolean;
  /** Chooses the process to use, if there are several. */
  choose?: () => RunningServer;
};

/**
 * Causes an outage under load and ends it. Then every client must be able to save again, and everything acknowledged must be saved.
 * @throws Error naming the losses.
 */
export async function breakUnderLoad({
  server,
  environment,
  begin,
  end,
  durationMs,
  refusesSaves = false,
  choose = () => server,
}: OutageOptions): Promise<Outage> {
  const site = await openSite(readConfig(environment), createLog("silent"));
  try {
    const load = await openMixedLoad(site, server);
    const stop = load.run(choose);
    await load.progress();
    const before = load.refused();
    await begin();
    const page = await collectPageStatuses(choose(), durationMs);
    const refused = () => [...load.refused()].filter(([status, times]) => times > (before.get(status) ?? 0)).map(([status]) => status);
    const saves = refusesSaves ? await until(() => requireRefusals(refused())) : refused();
    await end();
    const repairedAt = performance.now();
    await load.progress();
    const recoveredMs = performance.now() - repairedAt;
    await stop();
    await checkNothingLost(site, server, load);
    return { acknowledged: load.acknowledged(), during: { page, saves: saves.sort() }, recoveredMs };
  } finally {
    await closeSite(site);
  }
}

function requireRefusals(statuses: number[]): number[] {
  if (statuses.length === 0) throw new Error("no save was refused");
  return statuses;
}

async function checkNothingLost(site: Site, server: RunningServer, load: Awaited<ReturnType<typeof openMixedLoad>>): Promise<void> {
  const lost = await load.lost(site);
  if (lost.length > 0) throw new Error(`acknowledged but lost: ${lost.join(", ")}`);
  await checkConsistency(site, server.dataDir);
}

/** Every status of a page; 0 without a response. */
async function collectPageStatuses({ url }: RunningServer, durationMs: number): Promise<number[]> {
  const found = new Set<number>();
  for (const end = performance.now() + durationMs; performance.now() < end; await wait(200)) {
    const response = await fetch(`${url}/all-posts`, { signal: AbortSignal.timeout(Math.ceil(end - performance.now()) + graceMs) }).catch(
      () => undefined,
    );
    found.add(response?.status ?? 0);
    await response?.arrayBuffer().catch(() => {});
  }
  return [...found].sort();
}
