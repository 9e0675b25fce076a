import { type ActionReason, recordModerationAction } from "#domain/moderation/moderation-actions.server.ts";
import { requirePermission } from "#domain/permissions.ts";
import { isReadable } from "#domain/readable-posts.server.ts";
import { NotFound } from "#domain/refusals.ts";
import { type Site, transaction, type Viewer } from "#domain/site.ts";
import { lockPost } from "../../posts/visibility.server.ts";
import { setViews } from "./adjust-counts.server.ts";

const actionKinds = { featured: ["unfeature", "feature"], pinned: ["unpin", "pin"] } as const;
const logged = { unfeature: "post.unfeatured", feature: "post.featured", unpin: "post.unpinned", pin: "post.pinned" } as const;

type CurationFlag = { featured: boolean } | { pinned: boolean };

async function setMark(site: Site, viewer: Viewer, id: string, change: CurationFlag, why: ActionReason): Promise<void> {
  requirePermission(viewer, "moderate stories");
  const [name, value] = Object.entries(change)[0] as ["featured" | "pinned", boolean];
  await transaction(site, async (tx) => {
    const before = await lockPost(tx, id);
    if (!(await isReadable(tx, viewer, before))) throw new NotFound();
    if (before[name] === value) return;
    await tx.db.updateTable("posts").set(change).where("id", "=", id).execute();
    const kind = actionKinds[name][Number(value)] as keyof typeof logged;
    await recordModerationAction(tx, viewer, {
      ...why,
      ...{ kind, subject: `post:${id}`, title: before.title, memberId: before.userId, before: { [name]: !value } },
      log: { action: logged[kind], after: { title: before.title } },
    });
    tx.changed("post.changed", { id });
  });
}

export type Curation = { featured?: boolean | undefined; pinned?: boolean | undefined; views?: number | undefined };

/** Idempotent. @throws NotFound, Invalid. */
export async function curatePost(site: Site, viewer: Viewer, id: string, change: Curation, why: ActionReason = {}): Promise<void> {
  const { featured, pinned, views } = change;
  if (featured !== undefined) await setMark(site, viewer, id, { featured }, why);
  if (pinned !== undefined) await setMark(site, viewer, id, { pinned }, why);
  if (views !== undefined) await setViews(site, viewer, id, views);
}
