import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket as Socket } from "ws";
import { setBlocked, setMuted } from "#domain/messages/blocking.server.ts";
import { deleteMessage } from "#domain/messages/deleting.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { markConversationRead } from "#domain/messages/reading.server.ts";
import { listModerationActions } from "#domain/moderation/notices.server.ts";
import { adjustLikes } from "#domain/moderation/posts/adjust-counts.server.ts";
import { undoModerationAction } from "#domain/moderation/undo.server.ts";
import { setPostStatus } from "#domain/posts/update-post.server.ts";
import { holdPost } from "#domain/posts/visibility.server.ts";
import { findReaction, setLike } from "#domain/reactions/reactions.server.ts";
import type { Member } from "#domain/site.ts";
import { eventsDelivered } from "../support/events-delivered.ts";
import { ids, type OpenApi, openApi } from "./api.ts";
import { collection, writePost } from "./collection.ts";

let api: OpenApi;
let sockets: Socket[];
beforeEach(async () => {
  sockets = [];
  api = await openApi();
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await api.close();
});

type ReceivedEvent = { what: string; payload: Record<string, unknown> };

/** Received events as `collection.action`. */
async function listen(who: Member | null, ...collections: string[]): Promise<ReceivedEvent[]> {
  const channels = collections.map((name) => `&channels%5B%5D=databases.main.collections.${name}.documents`).join("");
  const headers = who ? { cookie: `a_session_${ids.project}=${await api.signIn(who)}` } : {};
  const socket = new Socket(`${api.endpoint.replace("http", "ws")}/realtime?project=${ids.project}${channels}`, { headers });
  sockets.push(socket);
  const received: ReceivedEvent[] = [];
  let isConnected = false;
  socket.on("message", (message) => {
    const { type, data } = JSON.parse(String(message));
    isConnected ||= type === "connected";
    if (type === "event")
      received.push({ what: `${data.events[0].split(".")[3]}.${data.events[0].split(".").at(-1)}`, payload: data.payload });
  });
  await expect.poll(() => isConnected).toBe(true);
  return received;
}
const names = (received: ReceivedEvent[]) => received.map(({ what }) => what);

test("a message updates the conversation for both, and reading updates both and each message", async () => {
  const { site, maren, tobias, salma } = api.world;
  const [sender, receiver, other] = [
    await listen(maren, "messages", "conversations"),
    await listen(tobias, "messages", "conversations"),
    await listen(salma, "messages", "conversations"),
  ];
  await sendMessage(site, maren, { to: tobias.id, text: "Are you awake?", sendId: "1" });
  for (const received of [sender, receiver]) await expect.poll(() => names(received)).toEqual(["messages.create", "conversations.update"]);
  expect(sender[1]?.payload).toMatchObject({ partnerId: tobias.id, lastMessage: "Are you awake?", unreadCount: 0 });
  expect(receiver[1]?.payload).toMatchObject({ partnerId: maren.id, lastMessage: "Are you awake?", unreadCount: 1 });
  await sendMessage(site, maren, { to: tobias.id, text: "Well?", sendId: "2" });
  await expect.poll(() => receiver.length).toBe(4);
  await expect.poll(() => sender.length).toBe(4);
  await markConversationRead(site, tobias, maren.id);
  for (const received of [sender, receiver])
    await expect.poll(() => names(received).slice(4)).toEqual(["messages.update", "messages.update", "conversations.update"]);
  expect(sender.slice(4, 6).map(({ payload }) => [payload.message, payload.isRead])).toEqual([
    ["Are you awake?", true],
    ["Well?", true],
  ]);
  expect(receiver[6]?.payload).toMatchObject({ unreadCount: 0 });
  await setMuted(site, tobias, maren.id, true);
  await expect.poll(() => receiver.at(-1)?.payload).toMatchObject({ partnerId: maren.id, muted: true });
  expect(other).toEqual([]);
});

test("a withheld message changes nothing for the receiver", async () => {
  const { site, maren, tobias } = api.world;
  const [sender, receiver] = [await listen(maren, "messages", "conversations"), await listen(tobias, "messages", "conversations")];
  const seen = ["messages.create", "conversations.update"];
  await sendMessage(site, maren, { to: tobias.id, text: "One", sendId: "1" });
  for (const received of [sender, receiver]) await expect.poll(() => names(received)).toEqual(seen);
  await setBlocked(site, tobias, maren.id, true);
  await sendMessage(site, maren, { to: tobias.id, text: "Two", sendId: "2" });
  await expect.poll(() => names(sender)).toEqual([...seen, ...seen]);
  expect(names(receiver)).toEqual(seen);
});

test("the last message takes the conversation of those who saw it", async () => {
  const { site, maren, tobias } = api.world;
  const [first, second] = [
    await sendMessage(site, maren, { to: tobias.id, text: "One", sendId: "1" }),
    await sendMessage(site, maren, { to: tobias.id, text: "Two", sendId: "2" }),
  ];
  const { documents } = await collection(await api.connect("appwrite 27.0.0", maren), "conversations").list();
  await setBlocked(site, tobias, maren.id, true);
  const withheld = await sendMessage(site, maren, { to: tobias.id, text: "Three", sendId: "3" });
  await eventsDelivered(site);
  const [sender, receiver] = [await listen(maren, "conversations"), await listen(tobias, "conversations")];
  await deleteMessage(site, tobias, second.id);
  for (const received of [sender, receiver]) await expect.poll(() => names(received)).toEqual(["conversations.update"]);
  await deleteMessage(site, tobias, first.id);
  await expect.poll(() => names(receiver)).toEqual(["conversations.update", "conversations.delete"]);
  expect(receiver[1]?.payload).toMatchObject({ $id: documents[0]?.$id });
  expect(receiver[1]?.payload).not.toHaveProperty("lastMessage");
  await deleteMessage(site, maren, withheld.id);
  await expect.poll(() => names(sender)).toEqual(["conversations.update", "conversations.update", "conversations.delete"]);
  expect(names(receiver)).toEqual(["conversations.update", "conversations.delete"]);
});

test("a hidden story is deleted for everyone but its author, without its content", async () => {
  const { site, maren, tobias, ruth } = api.world;
  await writePost(api, "a");
  await writePost(api, "never-seen", { status: "inactive" });
  const [author, member, visitor] = [await listen(maren, "posts"), await listen(tobias, "posts"), await listen(null, "posts")];
  await holdPost(site, ruth, "never-seen", {});
  await setPostStatus(site, maren, "a", "inactive");
  for (const received of [member, visitor]) await expect.poll(() => names(received)).toEqual(["posts.delete"]);
  expect(visitor[0]?.payload).toMatchObject({ $id: "a" });
  expect(visitor[0]?.payload).not.toHaveProperty("title");
  expect(names(author)).not.toContain("posts.delete");
  await setPostStatus(site, maren, "a", "active");
  for (const received of [member, visitor]) await expect.poll(() => names(received)).toEqual(["posts.delete", "posts.update"]);
});

test("adjusting likes updates the story, and removes and restores readers' likes", async () => {
  const { site, maren, tobias, ruth } = api.world;
  await writePost(api, "a");
  await setLike(site, tobias, "a", true);
  const id = await findReaction(site, tobias, "likes", "a");
  await eventsDelivered(site);
  const received = await listen(maren, "posts", "likes");
  await adjustLikes(site, ruth, "a", 3);
  await expect.poll(() => received.map(({ payload }) => payload.likesCount)).toEqual([4]);
  await adjustLikes(site, ruth, "a", -4);
  const removal = ["posts.update", "posts.update", "likes.delete"];
  await expect.poll(() => names(received)).toEqual(removal);
  expect(received[2]?.payload).toMatchObject({ $id: id, userId: tobias.id });
  const [last] = await listModerationActions(site, ruth, "post:a");
  await undoModerationAction(site, ruth, last?.id ?? "");
  await expect.poll(() => names(received)).toEqual([...removal, "posts.update", "likes.create"]);
  expect(received[4]?.payload).toMatchObject({ $id: id, userId: tobias.id });
});
