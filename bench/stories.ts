import { type Member, memberWithoutSession, type Site } from "#domain/site.ts";
import type { Database } from "#platform/database/open.ts";

/** As many members and stories as concurrent writes, so that no write waits for another's row. */
export const workers = 256;

export const postOf = (worker: number) => `story-${worker}`;

export function memberOf(worker: number): Member {
  const [id, email] = [`writer-${worker}`, `${worker}@example.com`];
  return memberWithoutSession({ id, name: `Writer ${worker}`, email, reauthenticated: true });
}

export async function fill({ db }: Pick<Site, "db">): Promise<void> {
  const now = Date.now();
  await db.transaction().execute(async (tx) => {
    for (let worker = 0; worker < workers; worker++) await addWriter(tx, worker, now);
  });
}

async function addWriter(db: Database, worker: number, now: number): Promise<void> {
  const { id, name, email } = memberOf(worker);
  const date = new Date(now).toISOString();
  await db.insertInto("users").values({ id, name, email, emailVerified: true, image: null, createdAt: date, updatedAt: date }).execute();
  const text = { content: "", markdown: "", summary: "", plainText: "", words: 0, featuredImage: null };
  const counters = { featured: false, pinned: false, views: 0, likesCount: 0, bookmarksCount: 0 };
  await db
    .insertInto("posts")
    .values({
      id: postOf(worker),
      userId: id,
      userName: name,
      title: name,
      ...text,
      status: "active",
      ...counters,
      publishedAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
}
