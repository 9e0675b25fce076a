import { cutPage, readCursor } from "#platform/database/keyset.ts";
import { requirePermission } from "../permissions.ts";
import type { Site, SiteTransaction, Viewer } from "../site.ts";
import { isAboutViewer, markOwnCases } from "../staff/own-cases.server.ts";
import type { AuditAction, AuditEntry, AuditPage, AuditState } from "./audit.ts";
import { chainEntry, contentHash, newSalt } from "./chain.server.ts";

type NewAuditEntry = {
  action: AuditAction;
  subject: string;
  before?: AuditState | undefined;
  after?: AuditState | undefined;
  actionId?: string | undefined;
};

export type Actor = { id: string | null; name: string; network?: string | undefined } | null;

/**
 * Appends to the audit log in the transaction of the action, as the next link of the hash chain. `subject` is kind and id, such as
 * `post:night-bus`.
 */
export async function recordAudit(tx: SiteTransaction, viewer: Actor, done: NewAuditEntry): Promise<void> {
  const { action, subject, before = null, after = null, actionId = null } = done;
  const content = {
    ...{ userId: viewer?.id ?? null, userName: viewer?.name ?? "Console", action, subject, actionId, createdAt: tx.now() },
    ...{ before: before && JSON.stringify(before), after: after && JSON.stringify(after), network: viewer?.network ?? null },
  };
  const salt = newSalt();
  const hash = contentHash(salt, content);
  const { number } = await tx.db
    .insertInto("audit_log")
    .values({ ...content, salt, contentHash: hash })
    .returning("number")
    .executeTakeFirstOrThrow();
  tx.beforeCommit(() => chainEntry(tx, number, hash));
}

export async function recordUnlessOwn(tx: SiteTransaction, viewer: Viewer, ownerId: string, what: NewAuditEntry): Promise<void> {
  if (viewer?.id !== ownerId) await recordAudit(tx, viewer, what);
}

type Filter = {
  limit: number;
  after?: string | null | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  userId?: string | undefined;
};

export async function listAudit(site: Site, viewer: Viewer, { limit, after, action, subject, userId }: Filter): Promise<AuditPage> {
  requirePermission(viewer, "see the audit log");
  let query = site.db
    .selectFrom("audit_log")
    .leftJoin("moderation_actions", "moderation_actions.id", "audit_log.actionId")
    .selectAll("audit_log")
    .select(["moderation_actions.kind", "moderation_actions.endsAt", "moderation_actions.undoneAt", "moderation_actions.batchId"])
    .select(["moderation_actions.memberId", "moderation_actions.moderatorId"]);
  if (action) query = query.where("audit_log.action", "=", action);
  if (subject) query = query.where("audit_log.subject", "=", subject);
  if (userId) query = query.where("audit_log.userId", "=", userId);
  const from = readCursor(after, ["number"]);
  if (from) query = query.where("audit_log.number", "<", from[0]);
  const rows = await query
    .orderBy("audit_log.number", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: shown, next } = cutPage(rows, limit, ({ number }) => [number]);
  const marked = await markOwnCases(site, viewer, shown, (row) => isAboutViewer(viewer, row));
  const entries = marked.map(
    ({ kind, endsAt, undoneAt, batchId, actionId, isOwnCase, memberId: _member, moderatorId: _moderator, ...row }): AuditEntry => {
      const { salt: _salt, contentHash: _content, hash: _hash, link: _link, ...entry } = row;
      const moderationAction =
        actionId && kind ? { id: actionId, kind, createdAt: row.createdAt, endsAt, undoneAt, batchId, isOwnCase } : null;
      return { ...entry, before: read(row.before), after: read(row.after), moderationAction };
    },
  );
  return { entries, next };
}

function read(state: string | null): AuditState {
  return state === null ? null : (JSON.parse(state) as AuditState);
}
