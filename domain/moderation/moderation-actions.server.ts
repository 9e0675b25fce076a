import type { ModerationActionRow } from "#platform/database/schema.ts";
import { newId } from "#platform/ids.ts";
import { recordAudit } from "../audit/audit.server.ts";
import type { AuditAction, AuditState } from "../audit/audit.ts";
import { pushDelayMs, queuePush } from "../push/push-queue.server.ts";
import type { Member, Site, SiteTransaction } from "../site.ts";
import { isMemberFacing, type ModerationActionKind } from "./moderation-action.ts";
import { emailMember } from "./moderation-emails.server.ts";

export type ActionReason = { reason?: string | undefined; batchId?: string | undefined };

export type Moderator = Member | { ruleId: string };

type PreviousState = Partial<{ status: "active" | "inactive"; heldBy: string | null; featured: boolean; pinned: boolean }> &
  Record<string, unknown>;

export type NewModerationAction = ActionReason & {
  kind: ModerationActionKind;
  subject: string;
  title: string;
  memberId: string;
  before: PreviousState;
  endsAt?: number;
  log: { action: AuditAction; before?: AuditState; after?: AuditState };
};

const ruleName = "Automatic rule";

/** Also writes the audit log and notifies the member. @returns the action's id. */
export async function recordModerationAction(
  tx: SiteTransaction,
  moderator: Moderator,
  moderationAction: NewModerationAction,
): Promise<string> {
  const id = newId(tx.now());
  const { kind, subject, title, memberId, reason = "", batchId = null, endsAt = null, log } = moderationAction;
  const by = "ruleId" in moderator ? { moderatorId: null, ruleId: moderator.ruleId } : { moderatorId: moderator.id, ruleId: null };
  const moderatorName = "ruleId" in moderator ? ruleName : moderator.name;
  await tx.db
    .insertInto("moderation_actions")
    .values({
      ...{ id, kind, subject, title, memberId, ...by, moderatorName, reason, batchId, endsAt },
      before: JSON.stringify(moderationAction.before),
      createdAt: tx.now(),
      undoneAt: null,
      seenAt: null,
    })
    .execute();
  const after = reason === "" ? log.after : { ...log.after, reason };
  const who = "ruleId" in moderator ? { id: null, name: ruleName } : moderator;
  await recordAudit(tx, who, { action: log.action, subject, before: log.before, after, actionId: id });
  if (isMemberFacing(kind)) {
    tx.changed("notification.changed", { userId: memberId });
    await queuePush(tx, memberId, { kind: "decision", key: id }, pushDelayMs.none);
  }
  await emailMember(tx, { id, kind, title, memberId, reason, endsAt });
  return id;
}

export async function endActionsOn(tx: SiteTransaction, postId: string): Promise<void> {
  await tx.db
    .updateTable("moderation_actions")
    .set({ endsAt: tx.now() })
    .where("subject", "=", `post:${postId}`)
    .where("undoneAt", "is", null)
    .execute();
}

export type ModerationAction = Omit<ModerationActionRow, "before" | "number"> & { number: number; before: PreviousState };

export async function findModerationAction(
  { db }: Pick<Site, "db"> | Pick<SiteTransaction, "db">,
  id: string,
): Promise<ModerationAction | undefined> {
  const row = await db.selectFrom("moderation_actions").selectAll().where("id", "=", id).executeTakeFirst();
  return row && { ...row, before: JSON.parse(row.before) as PreviousState };
}
