import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listLatest } from "#domain/posts/post-reads.server.ts";
import type { Member } from "#domain/site.ts";
import { watchQueries } from "../../tests/support/queries.ts";
import { addMember, openWorld, type World } from "../../tests/support/world.ts";
import { readMemberPage } from "./member-page.server.ts";

let world: World;
let prolific: Member;
beforeAll(async () => {
  world = await openWorld();
  prolific = await addMember(world, "Petra Prolific");
  const texts = { userName: prolific.name, title: "A story", content: "", markdown: "", summary: "", plainText: "", words: 0 };
  const rest = { featuredImage: null, featured: false, pinned: false, views: 0, likesCount: 2, bookmarksCount: 0, updatedAt: 1 };
  const rows = Array.from({ length: 10_000 }, (_, index) => ({
    id: `p-${index}`,
    userId: prolific.id,
    status: "active" as const,
    ...texts,
    ...rest,
    publishedAt: index,
    createdAt: index,
  }));
  for (let at = 0; at < rows.length; at += 500)
    await world.site.db
      .insertInto("posts")
      .values(rows.slice(at, at + 500))
      .execute();
}, 120_000);
afterAll(() => world.close());

async function plansOf(work: (site: World["site"]) => Promise<unknown>): Promise<string[]> {
  const { db, engine } = world.site;
  const { site, queries } = watchQueries(world.site);
  await work(site);
  const explain = engine === "sqlite" ? "explain query plan " : "explain ";
  const plans: string[] = [];
  for (const { sql: text, parameters } of queries) {
    let place = 0;
    const filled = text.replace(/\?|\$(\d+)/g, (_, number?: string) => literal(parameters[number ? Number(number) - 1 : place++]));
    const { rows } = await sql.raw<Record<string, unknown>>(explain + filled).execute(db);
    plans.push(rows.map((row) => String(row.detail ?? row["QUERY PLAN"])).join("\n"));
  }
  return plans;
}

function literal(value: unknown): string {
  return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

test("a profile with ten thousand stories needs the same indexed queries as any other", async () => {
  if (world.site.engine === "postgres") await sql`analyze`.execute(world.site.db);
  const open = (site: World["site"], id: string) =>
    Promise.all([readMemberPage(site, world.tobias, id), listLatest(site, { limit: 12, authorId: id })]);
  const [page, posts] = await open(world.site, prolific.id);
  expect([page.profile.postsCount, page.profile.likesReceived, posts.posts.length]).toEqual([10_000, 20_000, 12]);
  const plans = await plansOf((site) => open(site, prolific.id));
  const few = await plansOf((site) => open(site, world.maren.id));
  expect(plans.length).toBe(few.length);
  expect(plans.length).toBeLessThanOrEqual(5);
  for (const plan of plans) {
    expect(plan).not.toMatch(/SCAN posts|Seq Scan on posts/);
    expect(plan).not.toMatch(/USE TEMP B-TREE|\bSort\b/);
  }
});
