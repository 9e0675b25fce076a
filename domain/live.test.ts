import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addMember, openWorld, type World } from "../tests/support/world.ts";
import { allowedTopics } from "./live.server.ts";
import { sendMessage } from "./messages/messages.server.ts";
import type { Viewer } from "./site.ts";

let world: World;
let viewers: Record<string, Viewer>;
let conversationId: string;
beforeAll(async () => {
  world = await openWorld();
  const { maren, tobias, salma, ruth } = world;
  viewers = {
    visitor: null,
    owner: maren,
    partner: tobias,
    unconfirmed: salma,
    stranger: await addMember(world, "Una Stranger"),
    admin: ruth,
  };
  for (const [id, status] of [
    ["published", "active"],
    ["draft", "inactive"],
  ] as const)
    await world.site.db
      .insertInto("posts")
      .values({
        ...{ id, status, userId: maren.id, userName: maren.name, title: id, content: "", markdown: "", summary: "", plainText: "" },
        ...{ words: 0, featuredImage: null, featured: false, pinned: false, views: 0, likesCount: 0, bookmarksCount: 0 },
        ...{ publishedAt: 1, createdAt: 1, updatedAt: 1 },
      })
      .execute();
  await sendMessage(world.site, maren, { to: tobias.id, text: "Is it still raining?", sendId: "1" });
  ({ id: conversationId } = await world.site.db.selectFrom("conversations").select("id").executeTakeFirstOrThrow());
});
afterAll(() => world.close());

const everyone = ["visitor", "owner", "partner", "unconfirmed", "stranger", "admin"];

const table: Array<[string, () => string, string[]]> = [
  ["all stories", () => "posts", everyone],
  ["all names and profile pictures", () => "profiles", everyone],
  ["a published story", () => "post:published", everyone],
  ["a draft", () => "post:draft", ["owner", "admin"]],
  ["an unknown story", () => "post:nowhere", []],
  ["a profile", () => `profile:${world.maren.id}`, everyone],
  ["an unknown profile", () => "profile:nobody", []],
  ["a conversation, which has no topic", () => `conversation:${conversationId}`, []],
  ["a partner's presence", () => `presence:${world.maren.id}`, ["partner"]],
  ["an unknown member's presence", () => "presence:nobody", []],
  ["everyone's presence", () => "presence", []],
  ["a member's own topic", () => `user:${world.maren.id}`, ["owner"]],
  ["reports", () => "reports", ["admin"]],
  ["the event log", () => "log", []],
  ["an empty topic", () => "", []],
  ["a kind without an id", () => "user:", []],
  ["an unknown kind", () => "settings:all", []],
];

describe("allowedTopics", () => {
  test.each(table)("%s: allowed to the right viewers only", async (_what, topic, allowed) => {
    const subscribers = await Promise.all(
      Object.entries(viewers).map(async ([name, viewer]) =>
        (await allowedTopics(world.site, viewer, [topic()])).length > 0 ? [name] : [],
      ),
    );
    expect(subscribers.flat()).toEqual(allowed);
  });
});
