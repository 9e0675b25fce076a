import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Engine } from "#platform/database/engine.ts";

/** The server for test databases: `TEST_DATABASE_URL`, or a PostgreSQL that ends with this process. */
export async function findPostgres(): Promise<string> {
  process.env.TEST_DATABASE_URL ||= await startPostgres();
  return process.env.TEST_DATABASE_URL;
}

/** The engine that an argument names, SQLite by default, with a PostgreSQL for test databases if it is needed. */
export async function findEngine(name: string | undefined): Promise<Engine> {
  if (name !== "postgres") return "sqlite";
  await findPostgres();
  return name;
}

async function startPostgres(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "server.ts")], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [message] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [unknown];
  if (typeof message !== "string")
    throw new Error("PostgreSQL did not start; the reason is above. Or set TEST_DATABASE_URL to one that runs.");
  // The server watches the channel; it must not keep this process alive.
  child.unref();
  child.channel?.unref();
  return message;
}
