import { sql } from "kysely";
import { hidePost } from "#domain/moderation/posts/holding.server.ts";
import { lockPost } from "#domain/moderation/posts/locked-post.server.ts";
import { published } from "../posts/published.server.ts";
import { fileRuleReport } from "../reports/reports.server.ts";
import type { Member, SiteTransaction } from "../site.ts";
import { readFacts } from "./facts.server.ts";
import { catches, type Rule, ruleInWords } from "./rule.ts";
import { enabledRules } from "./rules.server.ts";

/**
 * Asks the site's rules about a story that its author publishes or changes, within the transaction that does so: it is in nobody's sight
 * for a moment. The first rule that holds it decides; each that catches it says so in the report queue. Administrators' own stories are not
 * asked about. @returns the moderation action that holds the story, if one does.
 */
export async function applyRules(tx: SiteTransaction, author: Member, postId: string): Promise<string | undefined> {
  if (author.staff) return undefined;
  const rules = await enabledRules(tx);
  if (rules.length === 0) return undefined;
  const conditions = rules.flatMap((rule) => rule.conditions);
  const [facts] = await readFacts(tx, { which: sql<boolean>`posts.id = ${postId}`, limit: 1, conditions, at: tx.now() });
  if (!facts) return undefined;
  const caught = rules.filter((rule) => catches(rule.conditions, facts));
  for (const { conditions } of caught) await fileRuleReport(tx, { ...facts, note: ruleInWords(conditions) });
  const holding = caught.find(({ outcome }) => outcome === "hold");
  return holding && hold(tx, postId, holding);
}

async function hold(tx: SiteTransaction, postId: string, { id: ruleId, message }: Rule): Promise<string> {
  return hidePost(tx, { ruleId }, "hold", await lockPost(tx, postId), { reason: message });
}

/** After its author has made a post active: a rule holds it, or everybody can read it from now on. @returns whether it is held. */
export async function holdOrPublish(tx: SiteTransaction, author: Member, id: string, at?: number): Promise<boolean> {
  if (await applyRules(tx, author, id)) return true;
  await published(tx, id, at);
  return false;
}
