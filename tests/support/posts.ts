import type { Insertable } from "kysely";
import type { PostCard } from "#domain/posts/post.ts";
import { listSearchResults } from "#domain/search/lists.server.ts";
import type { Member, Site } from "#domain/site.ts";
import type { PostRow } from "#platform/database/schema.ts";
import { addSearchWords, searchColumns } from "#platform/database/search/search-words.ts";

type PostOptions = Partial<Omit<Insertable<PostRow>, "userId" | "userName">>;

/** Inserts a story without a picture, published now by default. */
export async function addPost({ site }: { site: Site }, by: Member, chosen: PostOptions & { id: string }): Promise<string> {
  const { title = chosen.id, plainText = "" } = chosen;
  const createdAt = chosen.createdAt ?? site.now();
  const publishedAt = chosen.status === "inactive" ? null : createdAt;
  const texts = { title, content: plainText, markdown: plainText, summary: plainText, plainText, words: 0 };
  const shown = { featuredImage: null, status: "active", featured: false, pinned: false } as const;
  const counters = { views: 0, likesCount: 0, bookmarksCount: 0 };
  const columns = searchColumns({ title, userName: by.name, plainText });
  const author = { userId: by.id, userName: by.name };
  const row = { ...texts, ...shown, ...counters, ...columns, ...author, publishedAt, createdAt, updatedAt: createdAt, ...chosen };
  await site.db.transaction().execute(async (trx) => {
    await trx.insertInto("posts").values(row).execute();
    await addSearchWords(trx, [columns.searchTitle, columns.searchAuthor]);
  });
  return chosen.id;
}

/** Best matches first. */
export async function searchPosts(site: Site, { text, limit }: { text: string; limit: number }): Promise<PostCard[]> {
  return (await listSearchResults(site, { text, sort: "best", limit }))?.posts ?? [];
}
