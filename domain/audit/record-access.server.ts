import { minutes } from "#platform/time.ts";
import { type Site, transaction, type Viewer } from "../site.ts";
import { recordAudit } from "./audit.server.ts";
import type { AuditAction, AuditState } from "./audit.ts";

type ViewedSubject = { action: AuditAction; subject: string; after?: AuditState };

/** Reloads and range requests for one video count as one access. */
const repeatedAccessMs = minutes(1);

/** Records that staff saw private content. Await it before showing the content. */
export async function recordAccess(site: Site, viewer: NonNullable<Viewer>, { action, subject, after }: ViewedSubject): Promise<void> {
  const recent = await site.db
    .selectFrom("audit_log")
    .select("after")
    .where("subject", "=", subject)
    .where("userId", "=", viewer.id)
    .where("action", "=", action)
    .where("createdAt", ">", site.now() - repeatedAccessMs)
    .execute();
  const details = after ? JSON.stringify(after) : null;
  if (recent.some((each) => each.after === details)) return;
  await transaction(site, (tx) => recordAudit(tx, viewer, { action, subject, after }));
}

export async function recordDraftAccess(site: Site, viewer: Viewer, post: { id: string; userId: string; status: string }): Promise<void> {
  if (!viewer || post.status === "active" || viewer.id === post.userId) return;
  await recordAccess(site, viewer, { action: "draft.viewed", subject: `post:${post.id}` });
}
