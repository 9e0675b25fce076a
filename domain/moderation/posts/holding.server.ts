import { deletedRetentionMs, moderationWords } from "#domain/moderation/moderation-action.ts";
import {
  type ActionReason,
  type ModerationAction,
  type Moderator,
  recordModerationAction,
} from "#domain/moderation/moderation-actions.server.ts";
import { hidden, published } from "#domain/posts/published.server.ts";
import { Conflict, isRefusal, NotFound } from "#domain/refusals.ts";
import type { SiteTransaction } from "#domain/site.ts";
import { lockPost } from "./locked-post.server.ts";

/**
 * A story that is held, or was deleted by an administrator, is a draft that only an administrator can publish: `heldBy`
 * names the moderation action. Whatever leaves out drafts leaves it out, and nothing else has to know (docs/decisions/0014-moderation.md).
 */
export type Holdable = { id: string; userId: string; title: string; status: "active" | "inactive"; heldBy: string | null };

const logged = { hold: "post.held", delete: "post.deleted" } as const;

export async function hidePost(
  tx: SiteTransaction,
  moderator: Moderator,
  kind: "hold" | "delete",
  { id, userId, title, status, heldBy }: Holdable,
  why: ActionReason,
): Promise<string> {
  const actionId = await recordModerationAction(tx, moderator, {
    ...why,
    ...{ kind, subject: `post:${id}`, title, memberId: userId, before: { status, heldBy } },
    ...(kind === "delete" && { endsAt: tx.now() + deletedRetentionMs }),
    log: { action: logged[kind], before: { title, status } },
  });
  const byRule = "ruleId" in moderator;
  await tx.db
    .updateTable("posts")
    // A rule acts within the change that it is about, which has counted up already.
    .set((eb) => ({ heldBy: actionId, status: "inactive", version: eb("version", "+", byRule ? 0 : 1) }))
    .where("id", "=", id)
    .execute();
  await hidden(tx, id, status);
  return actionId;
}

/** Undoes a moderation action on a story. @throws NotFound when the story is gone, Conflict while a later moderation action keeps it out of sight. */
export async function revert(tx: SiteTransaction, { id: actionId, subject, kind, before }: ModerationAction): Promise<void> {
  const id = subject.slice("post:".length);
  const post = await lockPost(tx, id).catch((error) => {
    throw isRefusal(error) && error.code === "not-found" ? new NotFound(moderationWords.storyGone) : error;
  });
  if (kind === "feature" || kind === "unfeature" || kind === "pin" || kind === "unpin") {
    const { featured, pinned } = before;
    await tx.db
      .updateTable("posts")
      .set(featured === undefined ? { pinned: pinned === true } : { featured })
      .where("id", "=", id)
      .execute();
    tx.changed("post.changed", { id });
    return;
  }
  const holds = kind === "hold" || kind === "delete";
  if (holds ? post.heldBy !== actionId : post.heldBy !== null) throw new Conflict(moderationWords.later);
  await tx.db
    .updateTable("posts")
    .set((eb) => ({ status: before.status ?? "inactive", version: eb("version", "+", 1) }))
    .set(holds ? { heldBy: before.heldBy ?? null } : {})
    .where("id", "=", id)
    .execute();
  if (before.status !== "active") return hidden(tx, id, post.status);
  tx.changed("post.changed", { id });
  await published(tx, id);
}
