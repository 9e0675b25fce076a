import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { expect, inject, test } from "vitest";
import type { Member, Site } from "#domain/site.ts";
import { accounts } from "#platform/database/migrations/0001-accounts.ts";
import { posts } from "#platform/database/migrations/0002-posts.ts";
import { search } from "#platform/database/migrations/0003-search.ts";
import { people } from "#platform/database/migrations/0004-people.ts";
import { lists } from "#platform/database/migrations/0007-lists.ts";
import { slips } from "#platform/database/migrations/0020-slips.ts";
import { columnTypes } from "#platform/database/migrations/step.ts";
import { openForMigration } from "#platform/database/open.ts";
import { createDatabase } from "../../tests/postgres/databases.ts";
import { insertPeople, people as named } from "../../tests/support/people.ts";
import { addStory } from "../../tests/support/stories.ts";
import { readDays, readMemberTallies, readTallies } from "./tallies.server.ts";

test("a site that was there before its counters has them filled", async () => {
  const database = inject("engine") === "postgres" ? await createDatabase() : undefined;
  const dataDir = join(inject("folder"), randomUUID());
  const { db, engine } = openForMigration({ dataDir, databaseUrl: database?.url, databaseConnections: 1 });
  const site = { db, engine, now: () => Date.UTC(2026, 10, 2) } as Site;
  const raw = db as unknown as Kysely<unknown>;
  // The last because stories are written with it today.
  for (const step of [accounts, posts, search, people, slips]) await step(raw, columnTypes(engine));
  await insertPeople(db, "", site.now());
  const maren = named.maren as unknown as Member;
  await addStory({ site }, maren, { id: "one", views: 7, likesCount: 1 });
  await addStory({ site }, maren, { id: "two", views: 4, likesCount: 2, featured: true, createdAt: 86_400_000 });
  await addStory({ site }, maren, { id: "draft", status: "inactive", pinned: true, views: 100, likesCount: 100 });
  await db.insertInto("likes").values({ postId: "one", userId: named.tobias.id, createdAt: site.now() }).execute();

  await lists(raw, columnTypes(engine));
  await addStory({ site }, maren, { id: "three", views: 1 });
  expect(await readTallies(site)).toEqual({
    ...{ members: 4, writers: 1, published: 3, drafts: 1, featured: 1, pinned: 1 },
    ...{ publishedViews: 12, publishedLikes: 3, likes: 1, bookmarks: 0, messages: 0, unread: 0, correspondents: 0 },
  });
  expect(await readMemberTallies(site, maren.id)).toEqual({ posts: 4, published: 3, likesReceived: 3, messagesSent: 0 });
  expect(await readMemberTallies(site, named.tobias.id)).toEqual({ posts: 0, published: 0, likesReceived: 0, messagesSent: 0 });
  expect(await readDays(site, ["published", "likes"], { from: 1, to: 1 })).toEqual([{ day: 1, published: 1, likes: 0 }]);
  await db.destroy();
  await database?.drop();
});
