import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "#platform/database/engine.ts";
import { createDatabase, dropDatabase } from "../../postgres/databases.ts";
import { findPostgres } from "../../postgres/start.ts";
import { fastTempFolder } from "../../support/fast-temp-folder.ts";
import { freePort } from "../../support/process.ts";

/** Journeys that run concurrently. */
export const workers = 2;

/** A site for one engine and worker, so that journeys don't delete each other's data. */
export type JourneyServer = { engine: Engine; worker: number; url: string; environment: Record<string, string> };

type Plan = { folder: string; smtpPort: number; servers: JourneyServer[]; databases: string[] };

const secret = "a secret that only the journeys know";

/** Planned by the first process; workers read the plan from their environment. */
export async function planJourneys(): Promise<Plan> {
  process.env.JOURNEYS ??= JSON.stringify(await plan());
  return journeys();
}

export function journeys(): Plan {
  return JSON.parse(process.env.JOURNEYS ?? "") as Plan;
}

export function serverOf(engine: Engine, worker: number): JourneyServer {
  const found = journeys().servers.find((server) => server.engine === engine && server.worker === worker);
  if (!found) throw new Error(`No site was planned for worker ${worker} on ${engine}.`);
  return found;
}

async function plan(): Promise<Plan> {
  const folder = mkdtempSync(join(fastTempFolder(), "inkstead-journeys-"));
  const smtpPort = await freePort();
  await findPostgres();
  const [servers, databases]: [JourneyServer[], string[]] = [[], []];
  for (let worker = 0; worker < workers; worker++) {
    const database = await createDatabase();
    databases.push(database.name);
    for (const [engine, databaseUrl] of [["sqlite", ""] as const, ["postgres", database.url] as const]) {
      const dataDir = join(folder, `${engine}-${worker}`);
      servers.push(await planServer({ engine, worker, dataDir, databaseUrl, smtpPort }));
    }
  }
  return { folder, smtpPort, servers, databases };
}

type Parts = { engine: Engine; worker: number; dataDir: string; databaseUrl: string; smtpPort: number };

async function planServer({ engine, worker, dataDir, databaseUrl, smtpPort }: Parts): Promise<JourneyServer> {
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const address = { HOST: "127.0.0.1", PORT: port, SITE_URL: url };
  const parts = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, FILES_URL: "", SMTP_URL: `smtp://127.0.0.1:${smtpPort}` };
  return {
    engine,
    worker,
    url,
    environment: { ...address, ...parts, SECRET: secret, ADMIN_EMAILS: "", REQUEST_LIMIT_FACTOR: "1000", LOOP_LAG_LIMIT: "60000" },
  };
}

export async function dropJourneysDatabases(): Promise<void> {
  for (const database of journeys().databases) await dropDatabase(database);
}
