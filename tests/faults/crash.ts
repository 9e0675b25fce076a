import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sweepUnattached } from "#domain/files/files.server.ts";
import type { Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { addMember, signIn } from "../support/members.ts";
import { picture } from "../support/pictures.ts";
import { type RunningServer, startServer } from "../support/process.ts";

/** Stories that were complete after the restart, and stories that were absent; others are thrown. */
export type Outcome = { complete: number; absent: number };

/** The server's file store. */
export type Files = { environment: Record<string, string>; listFileIds(dataDir: string): string[] };

const onDisk: Files = {
  environment: {},
  listFileIds(dataDir) {
    const folder = join(dataDir, "files");
    return existsSync(folder) ? readdirSync(folder).filter((name) => name !== "probe") : [];
  },
};

/**
 * Publishes stories, kills the server at a random moment of each, restarts it and checks.
 * @throws Error naming partial stories.
 */
export async function publishAndKill(
  runs: number,
  engine: Engine,
  report: (run: number) => void = () => {},
  files = onDisk,
): Promise<Outcome> {
  const server = await startServer(files.environment, engine);
  const outcome = { complete: 0, absent: 0 };
  try {
    const cookie = await memberCookie(server);
    const duration = await measurePublishing(server, cookie);
    for (let run = 1; run <= runs; run++) {
      const sent = publish(server, cookie, `story-${run}`).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * duration * 1.2));
      await server.kill();
      await sent;
      await server.start();
      outcome[(await isPublished(server, `story-${run}`, files)) ? "complete" : "absent"]++;
      report(run);
    }
  } finally {
    await server.close();
  }
  return outcome;
}

const text = "A text that must be complete.";

export async function publish({ url }: RunningServer, cookie: string, slug: string): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ title: slug, slug, content: text, status: "active" })) form.set(name, value);
  const { name, bytes } = await picture();
  form.set("featuredImage", new File([new Uint8Array(bytes)], name, { type: "image/jpeg" }));
  return fetch(`${url}/add-post`, { method: "POST", body: form, redirect: "manual", headers: { cookie, origin: url } });
}

async function measurePublishing(server: RunningServer, cookie: string): Promise<number> {
  await publish(server, cookie, "warm-up");
  const start = performance.now();
  const response = await publish(server, cookie, "measured");
  if (response.headers.get("location") !== "/post/measured")
    throw new Error(`publishing answers ${response.status}: ${await response.text()}`);
  return performance.now() - start;
}

/** Whether the story is there, with its picture and rows. */
async function isPublished({ url, dataDir, environment }: RunningServer, slug: string, { listFileIds }: Files): Promise<boolean> {
  await withSite(environment, (site) => checkPosts(site, () => listFileIds(dataDir)));
  return isPostComplete(url, slug);
}

/** @throws Error when there are pictures without a story or stories without a picture. `listFileIds`: ids in the file store. */
export async function checkPosts(site: Site, listFileIds: () => string[]): Promise<void> {
  // A start keeps recent files.
  await sweepUnattached(site, site.now());
  const posts = await site.db.selectFrom("posts").select("featuredImage").execute();
  const files = await site.db.selectFrom("files").select("id").execute();
  const counts = { posts: posts.length, files: files.length, folders: listFileIds().length };
  if (counts.posts !== counts.files || counts.files !== counts.folders) throw new Error(`partial story: ${JSON.stringify(counts)}`);
}

/** Whether a story published with `publish` is shown. @throws Error when its text or picture is missing. */
export async function isPostComplete(url: string, slug: string): Promise<boolean> {
  const page = await fetch(`${url}/post/${slug}`, { redirect: "manual" });
  if (page.status !== 200) return false;
  const html = await page.text();
  if (!html.includes(text)) throw new Error("the story's text is missing");
  const source = /\/files\/\w+\/640\.jpeg/.exec(html)?.[0];
  const shown = await fetch(`${url}${source}`);
  if (shown.status !== 200 || (await shown.arrayBuffer()).byteLength === 0) throw new Error("the story's picture is missing");
  return true;
}

export function memberCookie(server: RunningServer): Promise<string> {
  return withSite(server.environment, async (site) => (await signIn({ site }, await addMember({ site }, "Crash Tester"))).cookie);
}

/** Opens the site in this process too. */
async function withSite<Result>(environment: Record<string, string>, work: (site: Site) => Promise<Result>): Promise<Result> {
  const site = await openSite(readConfig(environment), createLog("silent"));
  try {
    return await work(site);
  } finally {
    await closeSite(site);
  }
}
