import { setTimeout } from "node:timers/promises";
import { Hono } from "hono";
import { sql } from "kysely";
import type { Site } from "#domain/site.ts";

const checkTimeoutMs = 4_000;

/** `/healthz`: the process is up. `/readyz`: database and files answer too. */
export function healthRoutes(site: Site): Hono {
  const routes = new Hono();
  routes.get("/healthz", (c) => c.json({ status: "ok" }));
  routes.get("/readyz", async (c) => {
    const [database, files] = await Promise.allSettled([withTimeout(sql`select 1`.execute(site.db)), withTimeout(site.files.check())]);
    const ready = database.status === "fulfilled" && files.status === "fulfilled";
    if (!ready) site.log.error({ database: reasonOf(database), files: reasonOf(files) }, "not ready");
    const state = { database: database.status === "fulfilled", files: files.status === "fulfilled" };
    return c.json({ status: ready ? "ok" : "unavailable", ...state }, ready ? 200 : 503);
  });
  return routes;
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const timeout = setTimeout(checkTimeoutMs, undefined, { ref: false }).then(() => Promise.reject(new Error("timed out")));
  return Promise.race([work, timeout]);
}

function reasonOf(settled: PromiseSettledResult<unknown>): string {
  return settled.status === "fulfilled" ? "ok" : String(settled.reason);
}
