import { afterEach, beforeEach, expect, test } from "vitest";
import { openWorld, type World } from "../../tests/support/world.ts";
import { queueSend, sendMessage } from "./messages.server.ts";
import { markConversationRead } from "./reading.server.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const kept = () => world.site.db.selectFrom("messages").select(["number", "message", "senderId", "isRead"]).orderBy("number").execute();

test("a conversation numbers the messages of both without gaps", async () => {
  const { site, maren, tobias } = world;
  await sendMessage(site, maren, { to: tobias.id, text: " Is the bread still warm? ", sendId: "1" });
  await sendMessage(site, tobias, { to: maren.id, text: "Barely.", sendId: "1" });
  expect(await kept()).toMatchObject([
    { number: 1, message: "Is the bread still warm?", senderId: maren.id, isRead: false },
    { number: 2, message: "Barely.", senderId: tobias.id, isRead: false },
  ]);
});

test("a retry with the same id is the same message", async () => {
  const { site, maren, tobias } = world;
  const message = { to: tobias.id, text: "Hello", sendId: "once" };
  const sent = await Promise.all([sendMessage(site, maren, message), sendMessage(site, maren, message)]);
  expect(sent[0]).toEqual(sent[1]);
  expect(await kept()).toHaveLength(1);
});

test("concurrent sends are all saved, each with its own number", async () => {
  const { site, maren, tobias } = world;
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => sendMessage(site, maren, { to: tobias.id, text: "Hello", sendId: String(index) })),
  );
  expect((await kept()).map((message) => message.number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test("concurrent sends share a transaction, and a failing one doesn't affect the others", async () => {
  const { site, maren, tobias } = world;
  await sendMessage(site, maren, { to: tobias.id, text: "first", sendId: "0" });
  const sends = [
    sendMessage(site, maren, { to: tobias.id, text: "second", sendId: "1" }),
    sendMessage(site, maren, { to: "nobody", text: "lost", sendId: "2" }),
    queueSend(site, maren, { to: tobias.id, message: "no such file", sendId: "3", fileId: "missing" }),
    sendMessage(site, tobias, { to: maren.id, text: "third", sendId: "1" }),
    sendMessage(site, maren, { to: tobias.id, text: "fourth", sendId: "4" }),
  ];
  const results = await Promise.allSettled(sends);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled", "fulfilled"]);
  expect((await kept()).map(({ number, message }) => [number, message])).toEqual([
    [1, "first"],
    [2, "second"],
    [3, "third"],
    [4, "fourth"],
  ]);
});

test("reading marks the partner's messages only", async () => {
  const { site, maren, tobias } = world;
  await sendMessage(site, maren, { to: tobias.id, text: "Hello", sendId: "1" });
  await sendMessage(site, tobias, { to: maren.id, text: "Hello", sendId: "1" });
  await markConversationRead(site, tobias, maren.id);
  expect((await kept()).map((message) => message.isRead)).toEqual([true, false]);
});

test("blank and long texts, unknown receivers and oneself are refused", async () => {
  const { site, maren, tobias } = world;
  await expect(sendMessage(site, maren, { to: tobias.id, text: "  ", sendId: "1" })).rejects.toMatchObject({ code: "invalid" });
  await expect(sendMessage(site, maren, { to: tobias.id, text: "a".repeat(5001), sendId: "1" })).rejects.toMatchObject({ code: "invalid" });
  await expect(sendMessage(site, maren, { to: "nobody", text: "Hello", sendId: "1" })).rejects.toMatchObject({ code: "not-found" });
  await expect(sendMessage(site, maren, { to: maren.id, text: "Hello", sendId: "1" })).rejects.toMatchObject({ code: "invalid" });
  await expect(sendMessage(site, null, { to: tobias.id, text: "Hello", sendId: "1" })).rejects.toMatchObject({ code: "sign-in-required" });
  expect(await kept()).toEqual([]);
});
