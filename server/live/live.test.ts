import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setFollow } from "#domain/follows/follows.server.ts";
import type { LiveEvent } from "#domain/live.ts";
import { setMuted } from "#domain/messages/blocking.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { markConversationRead } from "#domain/messages/reading.server.ts";
import { readShellCounts } from "#domain/pages/shell.server.ts";
import type { Events } from "#platform/events/events.ts";
import { LiveServer, types } from "../../tests/support/browsers/live-server.ts";
import { publish as publishEvents } from "../../tests/support/publish.ts";
import type { World } from "../../tests/support/world.ts";

let live: LiveServer;
let world: World;
beforeEach(async () => {
  live = await LiveServer.open();
  world = live.world;
});
afterEach(() => live.close());

const publish = (topic: string, ...types: string[]) => publishEvents(world.site, ...types.map((type) => ({ topic, type })));

test("a message with a field of a later version is sent", async () => {
  const tab = await live.connect(await live.cookieOf("maren"));
  tab.say({ send: { to: world.tobias.id, text: "Still up?", sendId: "1", ...{ addedLater: true } } });
  await expect.poll(() => tab.received).toMatchObject([{ sent: { sendId: "1" } }]);
});

describe("a topic", () => {
  test("sends events to permitted viewers only", async () => {
    const passed: string[] = [];
    world.site.events.subscribe("posts", ({ type }) => passed.push(type));
    await sendMessage(world.site, world.maren, { to: world.tobias.id, text: "Still up?", sendId: "1" });
    await publish("posts", "before");
    await expect.poll(() => passed).toEqual(["before"]);
    const topic = `user:${world.tobias.id}`;
    const [partner, admin, visitor] = [
      await live.connect(await live.cookieOf("tobias")),
      await live.connect(await live.cookieOf("ruth")),
      await live.connect(),
    ];
    for (const tab of [partner, admin, visitor]) {
      tab.say({ subscribe: [topic, "posts"] });
      await expect.poll(() => tab.received.length).toBe(tab === partner ? 1 : 2);
    }
    expect(partner.received).toMatchObject([{ subscribed: [topic, "posts"] }]);
    for (const tab of [admin, visitor]) expect(tab.received).toMatchObject([{ subscribed: ["posts"] }, { refused: [topic] }]);
    await sendMessage(world.site, world.maren, { to: world.tobias.id, text: "Good night then", sendId: "2" });
    await publish("posts", "something");
    for (const tab of [partner, admin, visitor]) await expect.poll(() => types(tab)).toContain("something");
    expect(types(partner)).toEqual(["message.created", "something"]);
    expect([types(admin), types(visitor)]).toEqual([["something"], ["something"]]);
  });

  test("sends nothing after unsubscribing", async () => {
    const tab = await live.connect();
    tab.say({ subscribe: ["posts"] });
    tab.say({ unsubscribe: ["posts"] });
    tab.say({ subscribe: [`profile:${world.maren.id}`] });
    await expect.poll(() => tab.received.length).toBe(2);
    await publish("posts", "one");
    await publish(`profile:${world.maren.id}`, "two");
    await expect.poll(() => types(tab)).toEqual(["two"]);
  });

  test("counts towards a limit", async () => {
    await live.reopen({ maxTopics: 2 });
    const tab = await live.connect();
    const profiles = [world.maren, world.tobias, world.ruth].map(({ id }) => `profile:${id}`);
    tab.say({ subscribe: profiles });
    await expect.poll(() => tab.received).toMatchObject([{ subscribed: profiles.slice(0, 2) }, { refused: profiles.slice(2) }]);
  });
});

describe("after a reconnection", () => {
  test("missed and new events arrive once and in order", async () => {
    const first = await live.connect();
    first.say({ subscribe: ["posts"] });
    await expect.poll(() => first.received.length).toBe(1);
    await publish("posts", "1");
    await expect.poll(() => types(first)).toEqual(["1"]);
    first.socket.terminate();
    await publish("posts", "2", "3");
    const after = first.events()[0]?.cursor ?? "";
    const second = await live.connect();
    const busy = Promise.all(Array.from({ length: 30 }, (_, i) => publish("posts", `b${i}`)));
    second.say({ subscribe: ["posts"], after });
    await busy;
    await publish("posts", "last");
    await expect.poll(() => types(second).at(-1)).toBe("last");
    expect(second.received[0]).toEqual({ subscribed: ["posts"], cursor: after });
    expect(types(second).slice(0, 2)).toEqual(["2", "3"]);
    expect(types(second)).toHaveLength(33);
    expect(new Set(types(second)).size).toBe(33);
    expect(second.events()).toEqual(await world.site.events.readAfter(after, ["posts"]));
  });

  test("a gap is sent if missed events are deleted, then new ones", async () => {
    const tab = await live.connect();
    tab.say({ subscribe: ["posts"], after: "made up" });
    await expect.poll(() => types(tab)).toEqual(["gap"]);
    await publish("posts", "one");
    await expect.poll(() => types(tab)).toEqual(["gap", "one"]);
  });

  test("events sent by another process aren't repeated", async () => {
    const start = world.site.events.latest();
    await publish("posts", "one", "two");
    const read = async () => (await world.site.events.readAfter(start, ["posts"])) as LiveEvent[];
    await expect.poll(async () => (await read()).length).toBe(2);
    const had = await read();
    const replayed = new Set<(event: LiveEvent) => void>();
    const subscribe: Events["subscribe"] = (topic, listener) => {
      replayed.add(listener);
      return world.site.events.subscribe(topic, listener);
    };
    await live.reopen({}, { ...world.site, events: { ...world.site.events, subscribe } });
    const tab = await live.connect();
    tab.say({ subscribe: ["posts"], after: had[1]?.cursor ?? "" });
    await expect.poll(() => replayed.size).toBe(1);
    for (const listener of replayed) for (const event of had) listener(event);
    await publish("posts", "three");
    await expect.poll(() => types(tab)).toEqual(["three"]);
  });
});

test("the unread count follows each change, without muted conversations", async () => {
  const { site, maren, tobias } = world;
  const tab = await live.connect(await live.cookieOf("tobias"));
  tab.say({ subscribe: [`user:${tobias.id}`] });
  await expect.poll(() => tab.received.length).toBe(1);
  const unread = () =>
    tab.received.flatMap((answer) => ("broadcast" in answer && answer.broadcast.type === "unread" ? [answer.broadcast.data.unread] : []));
  const send = (sendId: string) => sendMessage(site, maren, { to: tobias.id, text: "Awake?", sendId });
  const before = (await readShellCounts(site, tobias)).unread;
  await send("unread-1");
  await expect.poll(() => unread().at(-1)).toBe(before + 1);
  await send("unread-2");
  await expect.poll(() => unread().at(-1)).toBe(before + 2);
  await setMuted(site, tobias, maren.id, true);
  await expect.poll(() => unread().at(-1)).toBe(0);
  await setMuted(site, tobias, maren.id, false);
  await expect.poll(() => unread().at(-1)).toBe(before + 2);
  await markConversationRead(site, tobias, maren.id);
  await expect.poll(() => unread().at(-1)).toBe(0);
  await setFollow(site, tobias, { userId: maren.id, following: true });
  await expect.poll(() => types(tab)).toContain("follow.changed");
  expect(unread().length).toBeLessThanOrEqual(5);
});
