import { type Member, memberWithoutSession, type Site } from "#domain/site.ts";

/** As many members and stories as concurrent writes, so that no write waits for another's row. */
export const workers = 256;

export const postOf = (worker: number) => `story-${worker}`;

export const memberOf = (worker: number) => memberWith(`writer-${worker}`, `Writer ${worker}`);

export function memberWith(id: string, name: string): Member {
  return memberWithoutSession({ id, name, email: `${id}@example.com`, isReauthenticated: true });
}

export async function fill(site: Site): Promise<void> {
  await site.db.transaction().execute(async (db) => {
    for (let worker = 0; worker < workers; worker++) {
      const writer = memberOf(worker);
      await db
        .insertInto("users")
        .values(userRow(writer.id, writer.name, site.now()))
        .execute();
      await db
        .insertInto("posts")
        .values(postRow(postOf(worker), writer, site.now()))
        .execute();
    }
  });
}

export function userRow(id: string, name: string, now: number) {
  const date = new Date(now).toISOString();
  return { id, name, email: `${id}@example.com`, emailVerified: true, image: null, createdAt: date, updatedAt: date };
}

export function postRow(id: string, { id: userId, name }: Pick<Member, "id" | "name">, publishedAt: number) {
  const text = { title: name, content: "", markdown: "", summary: "", plainText: "", words: 0, featuredImage: null };
  const counters = { featured: false, pinned: false, views: 0, likesCount: 0, bookmarksCount: 0 };
  const times = { publishedAt, createdAt: publishedAt, updatedAt: publishedAt };
  return { id, userId, userName: name, status: "active" as const, ...text, ...counters, ...times };
}
