import { readMemberPage } from "#domain/pages/member-page.server.ts";
import { listLatest } from "#domain/posts/post-reads.server.ts";
import { median } from "./measure.ts";
import { postRow, userRow } from "./posts.ts";
import { openNewSite } from "./sites.ts";

// The queries of a profile page, for writers of ten and ten thousand stories: `npm run bench -- profile`.
await using opened = await openNewSite();
const { site } = opened;
const sizes = [10, 10_000];
for (const size of sizes) await write(size);
const rounds = 1000;
// The two alternate, so that other load affects both.
const milliseconds = { few: [] as number[], many: [] as number[] };
for (let round = 0; round < rounds; round++) {
  milliseconds.few.push(await read(10));
  milliseconds.many.push(await read(10_000));
}
const [few, many] = [median(milliseconds.few.slice(rounds / 5)), median(milliseconds.many.slice(rounds / 5))];
console.log(`10 stories ${few.toFixed(3)} ms, 10,000 stories ${many.toFixed(3)} ms, ratio ${(many / few).toFixed(2)}`);

async function read(size: number): Promise<number> {
  const begin = performance.now();
  await Promise.all([readMemberPage(site, null, `writer-${size}`), listLatest(site, { limit: 12, authorId: `writer-${size}` })]);
  return performance.now() - begin;
}

async function write(size: number): Promise<void> {
  const id = `writer-${size}`;
  await site.db
    .insertInto("users")
    .values(userRow(id, id, Date.now()))
    .execute();
  const text = "Salt and smoke. ".repeat(200);
  const texts = { title: "A story", content: text, markdown: text, summary: text.slice(0, 400), plainText: text, words: 600 };
  const rows = Array.from({ length: size }, (_, index) => ({ ...postRow(`${id}-${index}`, { id, name: id }, index), ...texts }));
  for (let at = 0; at < rows.length; at += 200)
    await site.db
      .insertInto("posts")
      .values(rows.slice(at, at + 200))
      .execute();
}
