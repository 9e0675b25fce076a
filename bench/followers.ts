import { setTimeout as wait } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { createPost } from "#domain/posts/posts.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { saveSettingsAsOperator } from "#domain/settings/settings.server.ts";
import { type Member, transaction } from "#domain/site.ts";
import { findEngine } from "../tests/postgres/start.ts";
import { addMember } from "../tests/support/members.ts";
import { picture } from "../tests/support/pictures.ts";
import { median, table } from "./measure.ts";
import { memberWith } from "./posts.ts";
import { openNewSite } from "./sites.ts";

/**
 * `npm run bench -- followers [followers] [sqlite|postgres]`: the cost of a like and of a publication for a writer with this many followers
 * and for one with ten, in turn. Rows are SQLite's count of changes, including triggers and counters.
 */
const followers = Number(process.argv[2] ?? 1_000_000);
const engine = await findEngine(process.argv[3]);
const rounds = 21;
const rowsPerStatement = 20_000;

type Cost = { milliseconds: number; rows: number };

await using opened = await openNewSite(engine);
const { site } = opened;
const seeding = performance.now();
await addReaders();
const writers = [await addWriter("Many Followers", followers), await addWriter("Ten Followers", 10)] as const;
await sql`analyze`.execute(site.db);
console.log(`${engine}: ${followers.toLocaleString("en")} followers added in ${Math.round((performance.now() - seeding) / 1000)} s\n`);
await saveSettingsAsOperator(site, { maxPostsPerUser: 1_000 });
const costs = { publish: [[], []] as Cost[][], like: [[], []] as Cost[][] };
for (let round = 0; round <= rounds; round++)
  for (const [index, writer] of writers.entries()) {
    const published = await costOf(() => publish(writer, round));
    const liked = await costOf(() => setLike(site, memberWith(`reader-${round + 1}`, "Reader"), slugOf(writer, round), true));
    if (round === 0) continue;
    costs.publish[index]?.push(published);
    costs.like[index]?.push(liked);
  }
const rows = [...linesOf("one like", costs.like), ...linesOf("one story published", costs.publish)];
console.log(table(["", "milliseconds, median", "the slowest", "rows written"], rows));

function linesOf(what: string, [many = [], few = []]: Cost[][]): string[][] {
  const counts = [followers.toLocaleString("en"), "10"];
  return [many, few].map((costs, index) => [
    `${what}, ${counts[index]} followers`,
    median(costs.map(({ milliseconds }) => milliseconds)).toFixed(1),
    Math.max(...costs.map(({ milliseconds }) => milliseconds)).toFixed(1),
    engine === "sqlite" ? String(median(costs.map(({ rows }) => rows))) : "",
  ]);
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = await changesSoFar();
  const from = performance.now();
  await work();
  const milliseconds = performance.now() - from;
  // Background work after the response counts too.
  await site.background.settled();
  await wait(50);
  return { milliseconds, rows: (await changesSoFar()) - before };
}

/** Of the writing connection. */
async function changesSoFar(): Promise<number> {
  if (engine === "postgres") return 0;
  return transaction(site, async ({ db }) => {
    const { rows } = await sql<{ total: number }>`select total_changes() as total`.execute(db);
    return rows[0]?.total ?? 0;
  });
}

function slugOf(writer: Member, round: number): string {
  return `${writer.id}-story-${round}`;
}

async function publish(writer: Member, round: number): Promise<void> {
  const post = { title: `Story ${round}`, slug: slugOf(writer, round), content: "The tide comes in twice a day.\n\n".repeat(40) };
  await createPost(site, writer, { ...post, status: "active" }, await picture());
}

/** Inserts rows for this many readers, without a statement timeout. */
async function addRows(count: number, insert: (numbers: RawBuilder<unknown>) => RawBuilder<unknown>): Promise<void> {
  for (let first = 1; first <= count; first += rowsPerStatement) {
    const last = Math.min(count, first + rowsPerStatement - 1);
    const numbers = sql`with recursive numbers(n) as (select ${sql.lit(first)} union all select n + 1 from numbers where n < ${sql.lit(last)})`;
    await insert(numbers).execute(site.db);
  }
}

async function addReaders(): Promise<void> {
  const date = new Date().toISOString();
  await addRows(
    followers,
    (numbers) => sql`insert into users (id, name, email, "emailVerified", "createdAt", "updatedAt") ${numbers}
      select 'reader-' || n, 'Reader', 'reader-' || n || '@example.com', ${sql.lit(true)}, ${date}, ${date} from numbers`,
  );
}

async function addWriter(name: string, count: number): Promise<Member> {
  const writer = await addMember({ site }, name);
  await addRows(
    count,
    (numbers) => sql`insert into follows ("followerId", "followedId", "createdAt") ${numbers}
      select 'reader-' || n, ${writer.id}, ${sql.lit(site.now())} from numbers`,
  );
  await sql`insert into follow_counts ("userId", followers, following) values (${writer.id}, ${count}, 0)
    on conflict ("userId") do nothing`.execute(site.db);
  return writer;
}
