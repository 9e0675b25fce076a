import type { PagedPosts } from "#app/posts/lists/paged-list.ts";
import { readMemberCounters } from "#domain/counters/counters.server.ts";
import { countUnfinished, listUnfinished, type UnfinishedWork } from "#domain/drafts/draft-reads.server.ts";
import type { OwnPost } from "#domain/posts/post.ts";
import { listOwnPosts } from "#domain/posts/post-reads.server.ts";
import type { Member, Site } from "#domain/site.ts";

export type OwnPosts = {
  search: string;
  counts: { published: number; drafts: number; unfinished: number };
  unfinished: UnfinishedWork[];
  listing: PagedPosts<OwnPost>;
};

const limit = 12;

/** `?find=` searches the tab, `?after=` is a cursor. */
export async function loadOwnPosts(site: Site, viewer: Member, tab: "posts" | "drafts", query: URLSearchParams): Promise<OwnPosts> {
  const search = (query.get("find") ?? "").trim().slice(0, 200);
  const after = query.get("after");
  const [page, unfinished, { posts, published }, count] = await Promise.all([
    listOwnPosts(site, viewer, { limit, after, search, draftsOnly: tab === "drafts" }),
    tab === "drafts" && !after ? listUnfinished(site, viewer, search) : [],
    readMemberCounters(site, viewer.id),
    tab === "drafts" ? countUnfinished(site, viewer) : 0,
  ]);
  return { search, counts: { published, drafts: posts - published, unfinished: count }, unfinished, listing: { ...page, after } };
}
