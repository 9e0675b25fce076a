import { setTimeout as wait } from "node:timers/promises";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { startServer } from "../support/process.ts";
import { checkConsistency } from "./consistency.ts";
import { openMixedLoad } from "./mixed-load.ts";

/** Losses, partial writes and wrong counters are thrown. */
export type KillResult = { kills: number; acknowledged: number; byKind: Record<string, number> };

/**
 * Kills a busy server at random moments and restarts it, again and again on the same data.
 * @throws Error naming acknowledged but lost writes, or inconsistent data.
 */
export async function killUnderLoad(kills: number, engine: Engine, report: (kill: number) => void = () => {}): Promise<KillResult> {
  const server = await startServer({}, engine);
  const site = await openSite(readConfig(server.environment), createLog("silent"));
  try {
    const load = await openMixedLoad(site, server);
    for (let kill = 1; kill <= kills; kill++) {
      const end = load.run(() => server);
      await load.progress([kill % load.clients.length]);
      await wait(Math.random() * 300);
      await server.kill();
      await end();
      await server.start();
      const lost = await load.lost(site);
      if (lost.length > 0) throw new Error(`kill ${kill}: acknowledged but lost: ${lost.join(", ")}`);
      await checkConsistency(site, server.dataDir);
      report(kill);
    }
    const byKind = Object.fromEntries(load.clients.map(({ constructor: { name } }) => [name, 0]));
    for (const client of load.clients) byKind[client.constructor.name] = (byKind[client.constructor.name] ?? 0) + client.acknowledged;
    return { kills, acknowledged: load.acknowledged(), byKind };
  } finally {
    await closeSite(site);
    await server.close();
  }
}
