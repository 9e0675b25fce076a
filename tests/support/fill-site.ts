import { sql } from "kysely";
import { inject } from "vitest";
import type { World } from "./world.ts";

const posts = 2000;
const members = 1000;

/**
 * Inserts with SQL: stories of many members, all with the word "everywhere" and one in a hundred with "somewhere", and messages, some
 * unread.
 */
export async function fillSite({ site: { db, now }, maren, tobias }: World): Promise<void> {
  const upTo = (count: number) =>
    inject("engine") === "sqlite"
      ? sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n) as numbers`
      : sql`(select cast(i as bigint) as i from generate_series(1, ${count}::integer) i) as numbers`;
  const date = inject("engine") === "sqlite" ? sql`'2026-01-01T00:00:00.000Z'` : sql`now()`;
  await sql`insert into users (id, name, email, "emailVerified", image, "createdAt", "updatedAt")
    select 'member-' || i, 'Member', 'member-' || i, i > 0, null, ${date}, ${date} from ${upTo(members)}`.execute(db);
  await sql`insert into profiles select 'member-' || i, 'Member', '', '', '', '', '', '', null, 0, 0 from ${upTo(members)}`.execute(db);
  await sql`insert into posts (id, "userId", "userName", title, summary, words, status, featured, pinned, views, "likesCount", "bookmarksCount",
      "publishedAt", "updatedAt", "searchTitle", "searchAuthor", content, markdown, "plainText", "searchText")
    select 'story-' || i, 'member-' || (1 + i % ${sql.lit(members / 100)}), 'Member', 'Story', '', 1, 'active', i % 1000 = 1, i % 2000 = 1, i % 97, i % 31, 0,
      cast(${now()} as bigint) - i * 1200000, 0, 'story ' || i % 500, 'member ' || i % 50, '', '', '',
      case i % 100 when 0 then 'everywhere somewhere' else 'everywhere' end
    from ${upTo(posts)}`.execute(db);
  const [one, other] = [maren.id, tobias.id];
  await db.insertInto("conversations").values({ id: "c", firstUserId: one, secondUserId: other, lastNumber: 0, updatedAt: 0 }).execute();
  await sql`insert into participants ("userId", "partnerId", "conversationId", "lastNumber", "lastAt", "unreadCount", "readNumber", muted)
    select ${one}, 'member-' || i, 'c', 1, i, case when i <= 5 then 1 else 0 end, 0, false from ${upTo(members)}`.execute(db);
}
