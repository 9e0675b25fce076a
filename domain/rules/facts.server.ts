import { type RawBuilder, type SqlBool, sql } from "kysely";
import { containsWord } from "#platform/database/search/contains.ts";
import { days } from "#platform/time.ts";
import type { Site, SiteTransaction } from "../site.ts";
import type { Condition, RuleFacts } from "./rule.ts";

export type PostFacts = RuleFacts & { number: number; id: string; title: string; userId: string; userName: string; publishedAt: number };

type FactsRequest = {
  which: RawBuilder<SqlBool>;
  limit: number;
  conditions: Condition[];
  /** As things stood when the story was published, in milliseconds; `now` for one that is being published. */
  at: "then" | number;
};

/**
 * What rules ask of some stories, newest first, in one query that reads no more of each than the conditions need: links are
 * counted in the HTML, words found among those that searches use, an author's earlier stories counted as far as
 * a condition asks.
 */
export async function readFacts({ db, engine }: Pick<Site | SiteTransaction, "db" | "engine">, asked: FactsRequest): Promise<PostFacts[]> {
  const { which, limit, conditions, at } = asked;
  // Whether there are fewer than any rule asks for is all that anybody wants to know.
  const mostPosts = Math.max(0, ...conditions.map((each) => (each.kind === "stories" ? each.fewer : 0)));
  const needs = (kind: Condition["kind"]) => conditions.some((each) => each.kind === kind);
  const words = [...new Set(conditions.flatMap((each) => (each.kind === "word" ? [each.word] : [])))];
  const text = sql`posts."searchTitle" || ' ' || posts."searchText"`;
  const earlier = at === "then" ? sql`other."publishedAt" < posts."publishedAt"` : sql`other.id <> posts.id`;
  const storiesBefore = sql`(select count(*) from (select 1 from posts as other
    where other."userId" = posts."userId" and other.status = 'active' and ${earlier} limit ${mostPosts}) as earlier)`;
  const links = sql`(length(posts.content) - length(replace(posts.content, '<a ', ''))) / 3`;
  const { rows } = await sql<Row>`
    select posts.number, posts.id, posts.title, posts."userId", posts."userName", posts."publishedAt", users."createdAt" as joined,
      ${needs("links") ? links : sql`0`} as links,
      ${needs("stories") ? storiesBefore : sql`0`} as "storiesBefore"
      ${sql.join(
        words.map((word, index) => sql`, ${containsWord(engine, text, word)} as ${sql.id(`word${index}`)}`),
        sql``,
      )}
    from posts inner join users on users.id = posts."userId"
    where ${which} order by posts."publishedAt" desc, posts.number desc limit ${limit}`.execute(db);
  return rows.map(({ joined, links, storiesBefore, ...row }) => ({
    ...{ number: row.number, id: row.id, title: row.title, userId: row.userId, userName: row.userName, publishedAt: row.publishedAt },
    accountDays: ((at === "then" ? row.publishedAt : at) - new Date(joined).getTime()) / days(1),
    links: Number(links),
    storiesBefore: Number(storiesBefore),
    holds: Object.fromEntries(words.map((word, index) => [word, Boolean(row[`word${index}`])])),
  }));
}

type Row = Omit<PostFacts, keyof RuleFacts> & { joined: string | Date; links: number; storiesBefore: number } & Record<
    `word${number}`,
    unknown
  >;
