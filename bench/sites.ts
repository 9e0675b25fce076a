import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { createDatabase } from "../tests/postgres/databases.ts";
import { type RunningServer, startServer } from "../tests/support/process.ts";

export const secret = "a secret that only the figures know";

type NewSite = AsyncDisposable & { site: Site };

/** A new site in this process. */
export async function openNewSite(engine: Engine = "sqlite"): Promise<NewSite> {
  const dataDir = mkdtempSync(join(tmpdir(), "inkstead-bench-"));
  const database = engine === "postgres" ? await createDatabase() : undefined;
  const site = await openSiteOf({ DATA_DIR: dataDir, DATABASE_URL: database?.url ?? "" });
  return {
    site,
    async [Symbol.asyncDispose]() {
      await closeSite(site);
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A new site in its own process, and the same one in this process. */
export async function startNewSite(engine: Engine, environment: Record<string, string> = {}): Promise<NewSite & { server: RunningServer }> {
  const server = await startServer(environment, engine);
  const site = await openSiteOf(server.environment);
  return {
    server,
    site,
    async [Symbol.asyncDispose]() {
      await closeSite(site);
      await server.close();
    },
  };
}

/** Opens a site in this process until `work` ends. */
export async function withSite<Result>(environment: Record<string, string>, work: (site: Site) => Promise<Result>): Promise<Result> {
  const site = await openSiteOf(environment);
  return work(site).finally(() => closeSite(site));
}

export function openSiteOf(environment: Record<string, string>): Promise<Site> {
  return openSite(readConfig({ SECRET: secret, ...environment }), createLog("silent"));
}
