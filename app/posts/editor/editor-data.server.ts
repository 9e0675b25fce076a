import { redirectWithToast } from "#app/shell/flash.ts";
import { readMemberCounters } from "#domain/counters/counters.server.ts";
import { copyIdOf, isOwnCopyId, newCopyId, type WorkingCopy } from "#domain/drafts/draft.ts";
import { isCopyId, latestUnfinished, readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import { postTexts } from "#domain/posts/post.ts";
import { type EditablePost, readForEditing } from "#domain/posts/update-post.server.ts";
import { isRefusal } from "#domain/refusals.ts";
import type { Member, Site } from "#domain/site.ts";

export type EditorData = {
  post: EditablePost | null;
  author: { id: string; name: string; profileImage: string | null; published: number };
  viewerId: string;
  copy: WorkingCopy | null;
  draftId: string;
  /** The URL names neither a story nor a draft. */
  continuesLatest: boolean;
};

/** `?draft=` names an unfinished story, `?new` begins another, `?new=draft` one with status Draft. Without either, the latest is continued. */
export async function loadNewPost(site: Site, viewer: Member, query: URLSearchParams): Promise<EditorData> {
  const requestedId = query.get("draft");
  const continuesLatest = !requestedId && !query.has("new");
  const [copy, { published }] = await Promise.all([
    continuesLatest ? latestUnfinished(site, viewer) : requestedId ? findCopy(site, viewer, requestedId) : null,
    readMemberCounters(site, viewer.id),
  ]);
  const { id, name, profileImage } = viewer;
  const draftId = copy?.id ?? (requestedId && (await isFreeId(site, viewer, requestedId)) ? requestedId : newCopyId());
  return { post: null, author: { id, name, profileImage, published }, viewerId: id, copy, draftId, continuesLatest };
}

/** Redirects from another author's story to its page. @throws NotFound for another author's draft. */
export async function loadPost(site: Site, viewer: Member, id: string): Promise<EditorData> {
  const draftId = copyIdOf(viewer.id, id);
  const [post, copy] = await Promise.all([
    readForEditing(site, viewer, id).catch((error: unknown) => {
      if (!isRefusal(error) || error.code !== "not-allowed") throw error;
      throw redirectWithToast(`/post/${encodeURIComponent(id)}`, {
        tone: "error",
        text: viewer.suspendedUntil ? error.message : postTexts.notYours,
      });
    }),
    findCopy(site, viewer, draftId),
  ]);
  const { userId, userName: name, profileImage } = post;
  const { published } = await readMemberCounters(site, userId);
  return { post, author: { id: userId, name, profileImage, published }, viewerId: viewer.id, copy, draftId, continuesLatest: false };
}

/** False for an address that another member opened in this browser: every save under their draft's id would be refused. */
async function isFreeId(site: Site, viewer: Member, id: string): Promise<boolean> {
  return isOwnCopyId(viewer.id, id) && !(await isCopyId(site, id));
}

/** Null before its first save. */
async function findCopy(site: Site, viewer: Member, id: string): Promise<WorkingCopy | null> {
  return readWorkingCopy(site, viewer, id).catch((error: unknown) => {
    if (isRefusal(error) && error.code === "not-found") return null;
    throw error;
  });
}
