import { setImmediate as nextTurn } from "node:timers/promises";
import { sql, type Updateable } from "kysely";
import { forUpdate } from "#platform/database/locks.ts";
import type { RuleRow } from "#platform/database/rows/rule-rows.ts";
import { newId } from "#platform/ids.ts";
import { days } from "#platform/time.ts";
import { recordAudit } from "../audit/audit.server.ts";
import { requirePermission } from "../permissions.ts";
import { Conflict, NotFound, TooMany } from "../refusals.ts";
import { type Site, type SiteTransaction, transaction, type Viewer } from "../site.ts";
import { enabledRules, type PostFacts, readFacts, ruleOf } from "./apply-rules.server.ts";
import {
  type Condition,
  dryRunDays,
  dryRunInitialPosts,
  dryRunMaxMatches,
  matchesConditions,
  type Rule,
  ruleInWords,
  ruleLimits,
  ruleTexts,
} from "./rule.ts";
import type { RuleInput } from "./rule-input.ts";

export async function listRules(site: Site, viewer: Viewer): Promise<Rule[]> {
  requirePermission(viewer, "set rules");
  return (await site.db.selectFrom("rules").selectAll().orderBy("number").execute()).map(ruleOf);
}

/** Whether a published story may have to wait for review. */
export async function hasAnyPosts(site: Site): Promise<boolean> {
  return (await enabledRules(site)).some(({ outcome }) => outcome === "hold");
}

/** @throws NotFound. */
export async function findRule(site: Site, viewer: Viewer, id: string): Promise<Rule> {
  requirePermission(viewer, "set rules");
  const row = await site.db.selectFrom("rules").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw new NotFound();
  return ruleOf(row);
}

/**
 * A saved rule is off until it is turned on. `seenAt`: `updatedAt` of the rule that was edited. @throws TooMany beyond 50, NotFound; Conflict
 * if it has changed since.
 */
export async function saveRule(site: Site, viewer: Viewer, id: string | undefined, input: RuleInput, seenAt?: number): Promise<string> {
  requirePermission(viewer, "set rules");
  const values = { conditions: JSON.stringify(input.conditions), outcome: input.outcome, message: input.message, enabled: false };
  if (!id && (await listRules(site, viewer)).length >= ruleLimits.rules) throw new TooMany(ruleTexts.tooMany);
  const ruleId = id ?? newId(site.now());
  await transaction(site, async (tx) => {
    const before = id ? await lockRule(tx, id) : undefined;
    if (before && isSameRule(before, input)) return;
    if (before && hasChanged(before, seenAt)) throw new Conflict(ruleTexts.changed);
    if (before) await updateRule(tx, before, values);
    else
      await tx.db
        .insertInto("rules")
        .values({ id: ruleId, ...values, createdAt: tx.now(), updatedAt: tx.now() })
        .execute();
    const inLog = ({ conditions, outcome }: Pick<Rule, "conditions" | "outcome">) => ({ if: ruleInWords(conditions), outcome });
    await recordAudit(tx, viewer, {
      action: "rule.saved",
      subject: `rule:${ruleId}`,
      before: before && inLog(before),
      after: inLog(input),
    });
  });
  return ruleId;
}

/** Also for a save that is sent again because its response was lost. */
function isSameRule({ enabled, conditions, outcome, message }: Rule, input: RuleInput): boolean {
  const isSame = outcome === input.outcome && message === input.message;
  return !enabled && isSame && JSON.stringify(conditions) === JSON.stringify(input.conditions);
}

function hasChanged({ updatedAt }: Rule, seenAt: number | undefined): boolean {
  return seenAt !== undefined && updatedAt !== seenAt;
}

/** @throws NotFound. */
async function lockRule(tx: SiteTransaction, id: string): Promise<Rule> {
  const row = await forUpdate(tx, tx.db.selectFrom("rules").selectAll().where("id", "=", id)).executeTakeFirst();
  if (!row) throw new NotFound();
  return ruleOf(row);
}

/** Never leaves `updatedAt` as it was: editors tell versions apart by it. */
async function updateRule({ db, now }: SiteTransaction, { id, updatedAt }: Rule, changes: Updateable<RuleRow>): Promise<void> {
  await db
    .updateTable("rules")
    .set({ ...changes, updatedAt: Math.max(now(), updatedAt + 1) })
    .where("id", "=", id)
    .execute();
}

/** Idempotent. @throws NotFound; Conflict if it would be turned on and has changed since `seenAt`. */
export async function setRuleEnabled(site: Site, viewer: Viewer, id: string, enabled: boolean, seenAt?: number): Promise<void> {
  requirePermission(viewer, "set rules");
  await transaction(site, async (tx) => {
    const rule = await lockRule(tx, id);
    if (rule.enabled === enabled) return;
    if (enabled && hasChanged(rule, seenAt)) throw new Conflict(ruleTexts.changedBeforeOn);
    await updateRule(tx, rule, { enabled });
    const action = enabled ? "rule.on" : "rule.off";
    await recordAudit(tx, viewer, { action, subject: `rule:${id}`, after: { if: ruleInWords(rule.conditions), outcome: rule.outcome } });
  });
}

/** Stories that it holds stay held. @throws NotFound. */
export async function deleteRule(site: Site, viewer: Viewer, id: string): Promise<void> {
  const rule = await findRule(site, viewer, id);
  await transaction(site, async (tx) => {
    await tx.db.deleteFrom("rules").where("id", "=", id).execute();
    await recordAudit(tx, viewer, { action: "rule.deleted", subject: `rule:${id}`, before: { if: ruleInWords(rule.conditions) } });
  });
}

type MatchedPost = { id: string; title: string; userName: string; publishedAt: number; links: number };

/** `isPart`: there are older stories that were not checked. */
export type DryRun = { matched: number; checked: number; isPart: boolean; newest: MatchedPost[] };

/**
 * Stories of the last 30 days that the conditions would have matched when they were published. Checks the newest `most`, `batchSize` at a
 * time, so that other requests get their turn.
 */
export async function dryRun(
  site: Site,
  viewer: Viewer,
  conditions: Condition[],
  most = dryRunInitialPosts,
  batchSize = dryRunInitialPosts,
): Promise<DryRun> {
  requirePermission(viewer, "set rules");
  const since = site.now() - days(dryRunDays);
  const found: DryRun = { matched: 0, checked: 0, isPart: false, newest: [] };
  let last: PostFacts | undefined;
  for (;;) {
    const older = last ? sql<boolean>`and (posts."publishedAt", posts.number) < (${last.publishedAt}, ${last.number})` : sql``;
    const which = sql<boolean>`posts.status = 'active' and posts."publishedAt" >= ${since} ${older}`;
    const limit = Math.min(batchSize, most - found.checked);
    const posts = await readFacts(site, { which, limit: limit + 1, conditions, at: "then" });
    const checked = posts.slice(0, limit);
    addMatches(found, checked, conditions);
    found.isPart = posts.length > limit;
    last = checked.at(-1);
    if (!found.isPart || found.checked === most) return found;
    await nextTurn();
  }
}

function addMatches(found: DryRun, checked: PostFacts[], conditions: Condition[]): void {
  const matched = checked.filter((facts) => matchesConditions(conditions, facts));
  found.checked += checked.length;
  found.matched += matched.length;
  const shown = matched.slice(0, dryRunMaxMatches - found.newest.length);
  found.newest.push(...shown.map(({ id, title, userName, publishedAt, links }) => ({ id, title, userName, publishedAt, links })));
}
