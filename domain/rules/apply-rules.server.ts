import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { RuleRow } from "#platform/database/rows/rule-rows.ts";
import { containsWord } from "#platform/database/search/contains.ts";
import { days } from "#platform/time.ts";
import { hidePost, lockPost, recordPublished } from "../posts/visibility.server.ts";
import { createRuleReport } from "../reports/reports.server.ts";
import type { Member, Site, SiteTransaction } from "../site.ts";
import { type Condition, matchesConditions, type Rule, type RuleFacts, ruleInWords } from "./rule.ts";

/** Call after the author has made a post active. A rule holds it, or it becomes public. @returns whether it is held. */
export async function holdOrPublish(tx: SiteTransaction, author: Member, id: string, at?: number): Promise<boolean> {
  if (await applyRules(tx, author, id)) return true;
  await recordPublished(tx, id, at);
  return false;
}

/**
 * Checks a published or changed story against the site's rules. In the same transaction, so that nobody can read it before. The first
 * matching rule files the report; the first that holds decides. Stories by staff are not checked. @returns the moderation action that
 * holds the story.
 */
export async function applyRules(tx: SiteTransaction, author: Member, postId: string): Promise<string | undefined> {
  if (author.staff) return undefined;
  const rules = await enabledRules(tx);
  if (rules.length === 0) return undefined;
  const conditions = rules.flatMap((rule) => rule.conditions);
  const [facts] = await readFacts(tx, { which: sql<boolean>`posts.id = ${postId}`, limit: 1, conditions, at: tx.now() });
  if (!facts) return undefined;
  const matched = rules.filter((rule) => matchesConditions(rule.conditions, facts));
  for (const { conditions } of matched) await createRuleReport(tx, { ...facts, note: ruleInWords(conditions) });
  const holding = matched.find(({ outcome }) => outcome === "hold");
  return holding && hold(tx, postId, holding);
}

async function hold(tx: SiteTransaction, postId: string, { id: ruleId, message }: Rule): Promise<string> {
  return hidePost(tx, { ruleId }, "hold", await lockPost(tx, postId), { reason: message });
}

export async function enabledRules({ db }: Pick<Site, "db"> | Pick<SiteTransaction, "db">): Promise<Rule[]> {
  return (await db.selectFrom("rules").selectAll().where("enabled", "=", true).orderBy("number").execute()).map(ruleOf);
}

export function ruleOf({ id, conditions, outcome, message, enabled, updatedAt }: Omit<RuleRow, "number">): Rule {
  return { id, conditions: JSON.parse(conditions) as Condition[], outcome, message, enabled: Boolean(enabled), updatedAt };
}

export type PostFacts = RuleFacts & { number: number; id: string; title: string; userId: string; userName: string; publishedAt: number };

type FactsRequest = {
  which: RawBuilder<SqlBool>;
  limit: number;
  conditions: Condition[];
  /** Milliseconds; `then` for the time when each story was published. */
  at: "then" | number;
};

/** What conditions compare, newest story first. One query, which reads no more of each story than the conditions need. */
export async function readFacts(
  { db, engine }: Pick<Site | SiteTransaction, "db" | "engine">,
  request: FactsRequest,
): Promise<PostFacts[]> {
  const { which, limit, conditions, at } = request;
  // Counts no further than the largest number in a rule.
  const mostPosts = Math.max(0, ...conditions.map((each) => (each.kind === "stories" ? each.fewer : 0)));
  const needs = (kind: Condition["kind"]) => conditions.some((each) => each.kind === kind);
  const words = [...new Set(conditions.flatMap((each) => (each.kind === "word" ? [each.word] : [])))];
  const text = sql`posts."searchTitle" || ' ' || posts."searchText"`;
  const earlier = at === "then" ? sql`other."publishedAt" < posts."publishedAt"` : sql`other.id <> posts.id`;
  const earlierPosts = sql`(select count(*) from (select 1 from posts as other
    where other."userId" = posts."userId" and other.status = 'active' and ${earlier} limit ${mostPosts}) as earlier)`;
  const links = sql`(length(posts.content) - length(replace(posts.content, '<a ', ''))) / 3`;
  const { rows } = await sql<Row>`
    select posts.number, posts.id, posts.title, posts."userId", posts."userName", posts."publishedAt", users."createdAt" as joined,
      ${needs("links") ? links : sql`0`} as links,
      ${needs("stories") ? earlierPosts : sql`0`} as "earlierPosts"
      ${sql.join(
        words.map((word, index) => sql`, ${containsWord(engine, text, word)} as ${sql.id(`word${index}`)}`),
        sql``,
      )}
    from posts inner join users on users.id = posts."userId"
    where ${which} order by posts."publishedAt" desc, posts.number desc limit ${limit}`.execute(db);
  return rows.map(({ joined, links, earlierPosts, ...row }) => ({
    ...{ number: row.number, id: row.id, title: row.title, userId: row.userId, userName: row.userName, publishedAt: row.publishedAt },
    accountDays: ((at === "then" ? row.publishedAt : at) - new Date(joined).getTime()) / days(1),
    links: Number(links),
    earlierPosts: Number(earlierPosts),
    containsWord: Object.fromEntries(words.map((word, index) => [word, Boolean(row[`word${index}`])])),
  }));
}

type Row = Omit<PostFacts, keyof RuleFacts> & { joined: string | Date; links: number; earlierPosts: number } & Record<
    `word${number}`,
    unknown
  >;
