import { countRows } from "#platform/database/count-rows.ts";
import { searchWords } from "#platform/database/search/search-words.ts";
import { requirePermission } from "../permissions.ts";
import { NotFound } from "../refusals.ts";
import type { Site, Viewer } from "../site.ts";
import { copyIdOf, draftsPerPerson, type WorkingCopy } from "./draft.ts";
import { copyOf } from "./working-copies.server.ts";

export type UnfinishedWork = {
  id: string;
  postId: string | null;
  title: string;
  beginning: string;
  featuredImage: string | null;
  createdAt: number;
  updatedAt: number;
};

/** @throws NotFound, also for another member's. */
export async function readWorkingCopy(site: Site, viewer: Viewer, id: string): Promise<WorkingCopy> {
  requirePermission(viewer, "save unfinished work");
  const row = await ownDrafts(site, viewer.id).selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw new NotFound();
  return copyOf(row);
}

/** Whether the viewer has begun another title, text or picture for a story. */
export async function hasUnfinishedChanges(site: Site, viewer: Viewer, postId: string): Promise<boolean> {
  requirePermission(viewer, "save unfinished work");
  const changed = await site.db
    .selectFrom("working_copies")
    .innerJoin("posts", "posts.id", "working_copies.postId")
    .select("posts.id")
    .where("working_copies.id", "=", copyIdOf(viewer.id, postId))
    .where((eb) =>
      eb.or([
        eb("working_copies.title", "!=", eb.ref("posts.title")),
        // Null for a story that was sent as HTML.
        eb("working_copies.markdown", "is distinct from", eb.ref("posts.markdown")),
        eb("working_copies.featuredImage", "!=", eb.ref("posts.featuredImage")),
      ]),
    )
    .executeTakeFirst();
  return changed !== undefined;
}

/** Whether a working copy, of any member, has the id. */
export async function isCopyId({ db }: Site, id: string): Promise<boolean> {
  return (await db.selectFrom("working_copies").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

export async function latestUnfinished(site: Site, viewer: Viewer): Promise<WorkingCopy | null> {
  requirePermission(viewer, "save unfinished work");
  const row = await ownDrafts(site, viewer.id)
    .selectAll()
    .where("postId", "is", null)
    .orderBy("updatedAt", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? copyOf(row) : null;
}

export async function countUnfinished(site: Site, viewer: Viewer): Promise<number> {
  requirePermission(viewer, "save unfinished work");
  return countRows(ownDrafts(site, viewer.id));
}

export async function listUnfinished(site: Site, viewer: Viewer, search = ""): Promise<UnfinishedWork[]> {
  requirePermission(viewer, "save unfinished work");
  const words = searchWords(search);
  const rows = await ownDrafts(site, viewer.id)
    .select(["id", "postId", "title", "featuredImage", "createdAt", "updatedAt"])
    .select((eb) => eb.fn<string>("substr", ["markdown", eb.lit(1), eb.lit(words.length > 0 ? 20_000 : 600)]).as("beginning"))
    .orderBy("updatedAt", "desc")
    .limit(draftsPerPerson)
    .execute();
  const matches = ({ title, beginning }: UnfinishedWork) => {
    const text = ` ${searchWords(`${title} ${beginning}`).join(" ")}`;
    return words.every((word) => text.includes(` ${word}`));
  };
  return rows.filter(matches).map((row) => ({ ...row, beginning: row.beginning.slice(0, 600) }));
}

function ownDrafts(site: Site, userId: string) {
  return site.db.selectFrom("working_copies").where("userId", "=", userId);
}
