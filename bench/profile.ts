import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMemberPage } from "#domain/pages/member-page.server.ts";
import { listLatest } from "#domain/posts/post-reads.server.ts";
import type { Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { median } from "./measure.ts";

// The queries of a profile page, for writers of ten and ten thousand stories: `npm run bench -- profile`.
const dataDir = mkdtempSync(join(tmpdir(), "inkstead-bench-"));
const site = await openSite(readConfig({ DATA_DIR: dataDir }), createLog("silent"));
const sizes = [10, 10_000];
for (const size of sizes) await write(site, size);
const rounds = 1000;
// The two alternate, so that other load affects both.
const milliseconds = { few: [] as number[], many: [] as number[] };
for (let round = 0; round < rounds; round++) {
  milliseconds.few.push(await read(10));
  milliseconds.many.push(await read(10_000));
}
const [few, many] = [median(milliseconds.few.slice(rounds / 5)), median(milliseconds.many.slice(rounds / 5))];
console.log(`10 stories ${few.toFixed(3)} ms, 10,000 stories ${many.toFixed(3)} ms, ratio ${(many / few).toFixed(2)}`);
await closeSite(site);
rmSync(dataDir, { recursive: true });

async function read(size: number): Promise<number> {
  const begin = performance.now();
  await Promise.all([readMemberPage(site, null, `writer-${size}`), listLatest(site, { limit: 12, authorId: `writer-${size}` })]);
  return performance.now() - begin;
}

async function write({ db }: Site, size: number): Promise<void> {
  const id = `writer-${size}`;
  const date = new Date().toISOString();
  const user = { id, name: id, email: `${id}@example.com`, emailVerified: true, image: null, createdAt: date, updatedAt: date };
  await db.insertInto("users").values(user).execute();
  const text = "Salt and smoke. ".repeat(200);
  const texts = { userName: id, title: "A story", content: text, markdown: text, summary: text.slice(0, 400), plainText: text, words: 600 };
  const rest = { featuredImage: null, featured: false, pinned: false, views: 0, likesCount: 0, bookmarksCount: 0, updatedAt: 1 };
  const rows = Array.from({ length: size }, (_, index) => ({
    id: `${id}-${index}`,
    userId: id,
    status: "active" as const,
    ...texts,
    ...rest,
    publishedAt: index,
    createdAt: index,
  }));
  for (let at = 0; at < rows.length; at += 200)
    await db
      .insertInto("posts")
      .values(rows.slice(at, at + 200))
      .execute();
}
