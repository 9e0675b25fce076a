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

const everybody = ["visitor", "owner", "partner", "unconfirmed", "stranger", "admin"];

const table: Array<[string, () => string, string[]]> = [
  ["posts", () => "posts", everybody],
  ["who has a new name or picture", () => "profiles", everybody],
  ["a published story", () => "post:published", everybody],
  ["a draft", () => "post:draft", ["owner", "admin"]],
  ["a story that isn't there", () => "post:nowhere", []],
  ["a profile", () => `profile:${world.maren.id}`, everybody],
  ["a profile that isn't there", () => "profile:nobody", []],
  ["a conversation, which has no topic of its own", () => `conversation:${conversationId}`, []],
  ["when somebody is online whom one writes with", () => `presence:${world.maren.id}`, ["partner"]],
  ["when nobody is online", () => "presence:nobody", []],
  ["who is online at all", () => "presence", []],
  ["what is a person's own", () => `user:${world.maren.id}`, ["owner"]],
  ["reports", () => "reports", ["admin"]],
  ["the log itself", () => "log", []],
  ["nothing", () => "", []],
  ["a kind without an id", () => "user:", []],
  ["an unknown kind", () => "settings:all", []],
];

describe("hearing of", () => {
  test.each(table)("%s", async (_what, topic, allowed) => {
    const heard = await Promise.all(
      Object.entries(viewers).map(async ([name, viewer]) =>
        (await allowedTopics(world.site, viewer, [topic()])).length > 0 ? [name] : [],
      ),
    );
    expect(heard.flat()).toEqual(allowed);
  });
});
