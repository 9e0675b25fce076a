import { setTimeout } from "node:timers/promises";
import { Hono } from "hono";
import { sql } from "kysely";
import type { Site } from "#domain/site.ts";

const checkTimeoutMs = 4_000;
/** Anyone may ask, and a check writes a file. */
const resultLastsMs = 1_000;

/** `/healthz`: the process is up. `/readyz`: database and files answer too. */
export function healthRoutes(site: Site): Hono {
  const routes = new Hono();
  routes.get("/healthz", (c) => c.json({ status: "ok" }));
  let last: { at: number; state: Promise<ReadyState> } | undefined;
  routes.get("/readyz", async (c) => {
    const now = performance.now();
    if (!last || now - last.at > resultLastsMs) last = { at: now, state: checkReady(site) };
    const state = await last.state;
    const ready = state.database && state.files;
    return c.json({ status: ready ? "ok" : "unavailable", ...state }, ready ? 200 : 503);
  });
  return routes;
}

type ReadyState = { database: boolean; files: boolean };

async function checkReady(site: Site): Promise<ReadyState> {
  const [database, files] = await Promise.allSettled([withTimeout(sql`select 1`.execute(site.db)), withTimeout(site.files.check())]);
  const state = { database: database.status === "fulfilled", files: files.status === "fulfilled" };
  if (!state.database || !state.files) site.log.error({ database: reasonOf(database), files: reasonOf(files) }, "not ready");
  return state;
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const timeout = setTimeout(checkTimeoutMs, undefined, { ref: false }).then(() => Promise.reject(new Error("timed out")));
  return Promise.race([work, timeout]);
}

function reasonOf(settled: PromiseSettledResult<unknown>): string {
  return settled.status === "fulfilled" ? "ok" : String(settled.reason);
}
