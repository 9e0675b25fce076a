import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { createPost } from "#domain/posts/posts.server.ts";
import { readConfig } from "#platform/config.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { sessionValue } from "#server/v1/caller.ts";
import { createWeb } from "#server/web.ts";
import { addMember } from "../tests/support/members.ts";
import { picture } from "../tests/support/pictures.ts";

/** The server process of `api-list.ts`: the site with 12 stories and 20 members, and bare Hono on another port. */
const dataDir = mkdtempSync(join(tmpdir(), "inkstead-bench-"));
const [databaseUrl] = process.argv.slice(2);
const secret = "a secret that only the figures know";
const site = await openSite(readConfig({ DATA_DIR: dataDir, SECRET: secret, DATABASE_URL: databaseUrl }), createLog("silent"));
site.settings.publicStoryListing = true;
const author = await addMember({ site }, "Ada Writer");
const content = "A sentence that is as long as sentences in stories are, with a comma and a full stop. ".repeat(20);
for (let n = 0; n < 12; n++)
  await createPost(site, author, { title: `Story ${n}`, slug: `story-${n}`, content, status: "active" }, await picture());
const sessions: string[] = [];
for (let n = 0; n < 20; n++) sessions.push(await signIn((await addMember({ site }, `Reader ${n}`)).id));

const bare = new Hono().get("/", (c) => c.json({ hello: "world" }));
const web = createWeb({ site, build: () => Promise.reject(new Error("no pages here")), dev: true, limitFactor: 1_000_000 });
const ports = await Promise.all([bare, web].map(listen));
process.send?.({ ports, sessions });

async function signIn(userId: string): Promise<string> {
  const now = new Date(site.now()).toISOString();
  const row = { id: newId(site.now()), userId, token: newId(site.now()), ipAddress: null, userAgent: null, createdAt: now, updatedAt: now };
  await site.db
    .insertInto("sessions")
    .values({ ...row, expiresAt: new Date(site.now() + 86_400_000).toISOString() })
    .execute();
  return sessionValue(site, userId, row.token);
}

async function listen(app: { fetch: Parameters<typeof getRequestListener>[0] }): Promise<number> {
  const server = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

process.on("message", () => process.send?.(process.cpuUsage()));
process.on("disconnect", async () => {
  await closeSite(site);
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});
