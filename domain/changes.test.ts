import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { adjustLikes } from "#domain/moderation/posts/adjust-counts.server.ts";
import { curatePost } from "#domain/moderation/posts/moderation.server.ts";
import { picture } from "../tests/support/pictures.ts";
import { addPost } from "../tests/support/posts.ts";
import { openWorld, password, type World } from "../tests/support/world.ts";
import { deleteAccount } from "./account-deletion/delete-account.server.ts";
import { renameAccountAndProfile, writePrefs } from "./accounts/changes.server.ts";
import { type ChangeKind, changes, isEmptied } from "./changes.ts";
import { changeFile, removeOwnFile, storeChunk } from "./files/api-files.server.ts";
import { setFollow } from "./follows/follows.server.ts";
import { setMuted } from "./messages/blocking.server.ts";
import { deleteChat, deleteMessage } from "./messages/deleting.server.ts";
import { sendMessage } from "./messages/messages.server.ts";
import { markConversationRead } from "./messages/reading.server.ts";
import { suspendMember } from "./moderation/suspensions.server.ts";
import { undoModerationAction } from "./moderation/undo.server.ts";
import { markAllRead } from "./notification-channels/marking.server.ts";
import { createPost, deletePost } from "./posts/posts.server.ts";
import { setPostStatus } from "./posts/update-post.server.ts";
import { createProfile, updateProfile } from "./profiles/profiles.server.ts";
import { setLike } from "./reactions/reactions.server.ts";
import { report, setReportStatus } from "./reports/reports.server.ts";
import { saveSettings } from "./settings/settings.server.ts";
import { addWebhook } from "./webhooks/webhooks.server.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => world.close());

let count = 0;
const newPost = (status: "active" | "inactive" = "active") => addPost(world, world.maren, { id: `story-${++count}`, status });
const say = async () => (await sendMessage(world.site, world.maren, { to: world.tobias.id, text: "Hello", sendId: `${++count}` })).id;
const profile = { userName: "Maren Oduya", bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" };
const file = { id: "a-file", name: "a.txt", type: "text/plain", publicly: false };
const newestOf = async (table: "moderation_actions" | "reports") =>
  (await world.site.db.selectFrom(table).select("id").orderBy("number", "desc").limit(1).executeTakeFirstOrThrow()).id;

/** For each change, a verb that causes it, the topics that get it, and the events of API clients. */
const made: Record<ChangeKind, [verb: () => Promise<unknown>, received: string[]]> = {
  "post.created": [
    async () => createPost(world.site, world.maren, { title: "A", slug: "a", content: "", status: "active" }, await picture()),
    ["posts.create"],
  ],
  "post.published": [async () => setPostStatus(world.site, world.maren, await newPost("inactive"), "active"), ["posts"]],
  "post.changed": [async () => curatePost(world.site, world.ruth, await newPost(), { featured: true }), ["post:*", "posts.update"]],
  "post.hidden": [
    async () => setPostStatus(world.site, world.maren, await newPost(), "inactive"),
    ["post:*", "posts.update", "posts.delete"],
  ],
  "post.removed": [async () => deletePost(world.site, world.maren, await newPost()), ["post:*", "posts.delete"]],
  "reaction.changed": [async () => setLike(world.site, world.tobias, await newPost(), true), ["post:*", "user:*", "likes.create"]],
  "likes.adjusted": [async () => adjustLikes(world.site, world.ruth, await newPost(), 3), ["post:*", "posts.update"]],
  "profile.created": [
    async () => {
      await world.site.db.deleteFrom("profiles").where("userId", "=", world.maren.id).execute();
      await updateProfile(world.site, world.maren, profile);
    },
    ["profile:*", "profiles", "profiles.create"],
  ],
  "profile.changed": [() => updateProfile(world.site, world.maren, profile), ["profile:*", "profiles", "profiles.update"]],
  "account.renamed": [() => renameAccountAndProfile(world.site, world.maren, "Maren"), ["profile:*", "users.update.name"]],
  "account.changed": [() => writePrefs(world.site, world.maren, { a: 1 }), ["users.update.prefs"]],
  "follow.changed": [
    () => setFollow(world.site, world.tobias, { userId: world.maren.id, following: true }),
    ["user:*", "profile:*", "follows.create"],
  ],
  "message.created": [say, ["user:*", "user:*", "messages.create"]],
  "message.deleted": [async () => deleteMessage(world.site, world.maren, await say()), ["user:*", "user:*", "messages.delete"]],
  "conversation.read": [
    async () => say().then(() => markConversationRead(world.site, world.tobias, world.maren.id)),
    ["user:*", "user:*", "conversations.read"],
  ],
  "conversation.changed": [() => setMuted(world.site, world.maren, world.tobias.id, true), ["user:*", "conversations.update"]],
  "chat.deleted": [
    async () => {
      await deleteChat(world.site, world.maren, world.tobias.id);
      await say();
      vi.clearAllMocks();
      await deleteChat(world.site, world.maren, world.tobias.id);
    },
    ["user:*", "user:*", "messages.delete", "conversations.delete", "conversations.delete"],
  ],
  "notification.changed": [() => markAllRead(world.site, world.maren, { until: world.site.now() }), ["user:*"]],
  "report.created": [
    async () => report(world.site, world.tobias, { kind: "post", subjectId: await newPost(), reason: "spam", note: "" }),
    ["reports", "reports.create"],
  ],
  "report.changed": [
    async () => setReportStatus(world.site, world.ruth, await newestOf("reports"), "resolved"),
    ["reports", "reports.update"],
  ],
  "moderation.undone": [async () => undoModerationAction(world.site, world.ruth, await newestOf("moderation_actions")), ["reports"]],
  "file.created": [() => storeChunk(world.site, world.maren, { ...file, bytes: Buffer.from("a") }), ["files.create"]],
  "file.changed": [() => changeFile(world.site, world.maren, file.id, { name: "b.txt" }), ["files.update"]],
  "file.removed": [() => removeOwnFile(world.site, world.maren, file.id), ["files.delete"]],
  "member.joined": [
    async () => {
      await world.site.db.deleteFrom("profiles").where("userId", "=", world.maren.id).execute();
      await createProfile(world.site, { userId: world.maren.id, userName: "Maren Oduya" });
    },
    [],
  ],
  "account.suspended": [() => suspendMember(world.site, world.ruth, world.tobias.id, { days: 1, reason: "spam" }), []],
  "webhooks.changed": [
    () => addWebhook(world.site, world.ruth, { address: "https://hooks.example.com/", events: ["report.created"] }),
    ["webhooks"],
  ],
  "settings.changed": [() => saveSettings(world.site, world.ruth, { siteName: "Another name" }), ["settings"]],
  "post.forgotten": [
    async () => {
      await addPost(world, world.salma, { id: "last-words" });
      await deleteAccount(world.site, world.salma, password);
    },
    ["post:*", "posts.delete"],
  ],
};

test.each(Object.keys(made) as ChangeKind[])("%s", async (kind) => {
  type Part = { topic?: string; list?: string; action?: string };
  const row = changes[kind] as unknown as Record<"topics" | "records", () => Part[]>;
  const [topics, records] = [vi.spyOn(row, "topics"), vi.spyOn(row, "records")];
  const [verb, received] = made[kind];
  await verb();
  expect(topics).toHaveBeenCalled();
  const parts = [topics, records].flatMap(({ mock }) => mock.results).flatMap(({ value }) => value as Part[]);
  expect(parts.map(({ topic, list, action }) => topic?.replace(/:.+/, ":*") ?? `${list}.${action}`)).toEqual(received);
});

test("recognizes emptied events", () => {
  expect(isEmptied({ type: "post.published", data: {} })).toBe(true);
  expect(isEmptied({ type: "post.published", data: { id: "a" } })).toBe(false);
  expect(isEmptied({ type: "gap", data: {} })).toBe(false);
});
