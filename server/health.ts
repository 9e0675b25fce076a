import { Hono } from "hono";
import { sql } from "kysely";
import type { Site } from "#domain/site.ts";

/** `/healthz`: the process is up. `/readyz`: database and files answer too. */
export function healthDoor(site: Site): Hono {
  const door = new Hono();
  door.get("/healthz", (c) => c.json({ status: "ok" }));
  door.get("/readyz", async (c) => {
    const [database, files] = await Promise.allSettled([sql`select 1`.execute(site.db), site.files.check()]);
    const ready = database.status === "fulfilled" && files.status === "fulfilled";
    if (!ready) site.log.error({ database, files }, "not ready");
    const state = { database: database.status === "fulfilled", files: files.status === "fulfilled" };
    return c.json({ status: ready ? "ok" : "unavailable", ...state }, ready ? 200 : 503);
  });
  return door;
}
