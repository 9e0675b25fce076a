import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "#platform/database/open.ts";
import { createDatabase, dropDatabase } from "../postgres/databases.ts";
import { findPostgres } from "../postgres/start.ts";
import { freePort } from "../process.ts";

/** A running site that journeys visit; one per engine. */
export type JourneyServer = { engine: Engine; url: string; environment: Record<string, string> };

type Plan = { folder: string; smtpPort: number; servers: JourneyServer[]; database: string };

const secret = "a secret that only the journeys know";

/** Chosen once, by the first who asks: workers read the configuration again and find it in their environment. */
export async function planJourneys(): Promise<Plan> {
  process.env.JOURNEYS ??= JSON.stringify(await plan());
  return journeys();
}

/** What was planned. */
export function journeys(): Plan {
  return JSON.parse(process.env.JOURNEYS ?? "") as Plan;
}

async function plan(): Promise<Plan> {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-journeys-"));
  const smtpPort = await freePort();
  await findPostgres();
  const database = await createDatabase();
  const server = async (engine: Engine, databaseUrl: string): Promise<JourneyServer> => {
    const port = String(await freePort());
    const url = `http://localhost:${port}`;
    const address = { HOST: "127.0.0.1", PORT: port, SITE_URL: url };
    const parts = { DATA_DIR: join(folder, engine), DATABASE_URL: databaseUrl, FILES_URL: "", SMTP_URL: `smtp://127.0.0.1:${smtpPort}` };
    return { engine, url, environment: { ...address, ...parts, SECRET: secret, ADMIN_EMAILS: "" } };
  };
  const servers = [await server("sqlite", ""), await server("postgres", database.url)];
  return { folder, smtpPort, servers, database: database.name };
}

export async function dropJourneysDatabase(): Promise<void> {
  await dropDatabase(journeys().database);
}
