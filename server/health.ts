import { setTimeout } from "node:timers/promises";
import { Hono } from "hono";
import { sql } from "kysely";
import type { Site } from "#domain/site.ts";

/** Whoever asks whether the process is ready won't wait longer. */
const patience = 4_000;

/** `/healthz`: the process is up. `/readyz`: database and files answer too. */
export function healthDoor(site: Site): Hono {
  const door = new Hono();
  door.get("/healthz", (c) => c.json({ status: "ok" }));
  door.get("/readyz", async (c) => {
    const [database, files] = await Promise.allSettled([inTime(sql`select 1`.execute(site.db)), inTime(site.files.check())]);
    const ready = database.status === "fulfilled" && files.status === "fulfilled";
    if (!ready) site.log.error({ database: reasonOf(database), files: reasonOf(files) }, "not ready");
    const state = { database: database.status === "fulfilled", files: files.status === "fulfilled" };
    return c.json({ status: ready ? "ok" : "unavailable", ...state }, ready ? 200 : 503);
  });
  return door;
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = setTimeout(patience, undefined, { ref: false }).then(() => Promise.reject(new Error("no answer in time")));
  return Promise.race([work, late]);
}

function reasonOf(settled: PromiseSettledResult<unknown>): string {
  return settled.status === "fulfilled" ? "ok" : String(settled.reason);
}
