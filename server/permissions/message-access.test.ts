import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { sendAttachment } from "#domain/messages/attachments.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { suspendMember } from "#domain/moderation/suspensions.server.ts";
import type { Web } from "#server/http.ts";
import { openLive } from "#server/live/live.ts";
import { openSockets, type Sockets } from "#server/sockets.ts";
import { eventsDelivered } from "../../tests/support/events-delivered.ts";
import { picture } from "../../tests/support/pictures.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { addMember, openWorld, signIn, type World } from "../../tests/support/world.ts";

const secret = "the key is under the third pot";

let world: World;
let web: Hono<Web>;
let server: Server;
let sockets: Sockets;
/** Requesters who get nothing: without a cookie, with forged ones, and a third member. */
let cookies: Record<string, string | undefined>;
let own: string;
let ids: { message: string; conversation: string; file: string; outsider: string };

beforeAll(async () => {
  world = await openWorld();
  const { site, maren, tobias } = world;
  web = openWeb(world);
  await sendAttachment(site, maren, { to: tobias.id, sendId: "2", upload: await picture() });
  const sent = await sendMessage(site, maren, { to: tobias.id, text: secret, sendId: "1" });
  const conversation = await site.db.selectFrom("conversations").select("id").executeTakeFirstOrThrow();
  const file = await site.db.selectFrom("files").select("id").executeTakeFirstOrThrow();
  const outsider = await addMember(world, "Una Stranger");
  ids = { message: sent.id, conversation: conversation.id, file: file.id, outsider: outsider.id };
  own = (await signIn(world, tobias)).cookie;
  const forged = own.replace(/=(.{5})/, "=aaaaa");
  cookies = { "a visitor": undefined, "a forged cookie": forged, "a third person": (await signIn(world, outsider)).cookie };
  sockets = openSockets(site, { countUpgrade: () => undefined, endpoints: [openLive(site)] });
  server = createServer().on("upgrade", sockets.upgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  sockets.close();
  server.close();
  await world.close();
});

const everybody = ["a visitor", "a forged cookie", "a third person"];

/** Requests of visitors and third members. `{maren}`, `{file}` … are replaced by ids. */
const reads: [string, string][] = [
  ["the chat of the two, as a page", "/messages/{maren}"],
  ["the chat of the two, as data", "/messages/{maren}.data"],
  ["the other half of it", "/messages/{tobias}"],
  ["the list", "/messages"],
  ["the list as data", "/messages/conversations"],
  ["a page of it after a guessed cursor", "/messages/conversations?after=9999999999999-{conversation}"],
  ["the history", "/messages/{maren}/history"],
  ["the history from the beginning", "/messages/{tobias}/history?after=0"],
  ["the history by the conversation's id", "/messages/{conversation}/history?after=0"],
  ["a search for what it says", "/messages/{maren}/history?search=pot"],
  ["the attachment", "/files/{file}"],
  ["the attachment to keep", "/files/{file}?download"],
  ["the attachment in another size", "/files/{file}/640.webp"],
  ["a guessed attachment", "/files/19dfa1c00000000000"],
];

function fill(path: string): string {
  const all: Record<string, string> = { ...ids, maren: world.maren.id, tobias: world.tobias.id };
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name) => all[name] ?? "");
}

describe("private data is refused:", () => {
  for (const who of everybody)
    test.each(reads)(`%s (${who})`, async (_what, path) => {
      const cookie = cookies[who];
      const answer = await web.request(fill(path), { headers: cookie ? { cookie } : {} });
      const body = await answer.text();
      expect(body).not.toContain(secret);
      expect(body).not.toContain(ids.message);
      if (path.startsWith("/files/")) expect(answer.status).toBe(404);
      else expect(body).not.toContain(ids.file);
    });

  test("the same addresses work for the other person", async () => {
    for (const path of [
      "/messages/{maren}",
      "/messages/{maren}/history",
      "/messages/conversations",
      "/messages/{maren}/history?search=pot",
    ])
      expect(await (await web.request(fill(path), { headers: { cookie: own } })).text(), path).toContain(secret);
    for (const path of ["/files/{file}", "/files/{file}/640.webp"])
      expect((await web.request(fill(path), { headers: { cookie: own } })).status, path).toBe(200);
  });
});

test.each(["/messages/{maren}/history?", "/messages/{maren}/history?search=pot&", "/messages/conversations?", "/messages/unread?"])(
  "%s answers no page that another account of the browser opened",
  async (path) => {
    const ask = (from: string) => web.request(fill(`${path}from=${from}`), { headers: { cookie: own } });
    expect((await ask("{tobias}")).status).toBe(200);
    const other = await ask("{maren}");
    expect(other.status).toBe(401);
    expect(await other.text()).not.toContain(secret);
  },
);

const changes: [string, string, Record<string, string>, boolean][] = [
  ["deletes the message", "/messages/{maren}/change", { change: "delete-message", value: "{message}" }, true],
  ["deletes the message by way of its own chat", "/messages/{outsider}/change", { change: "delete-message", value: "{message}" }, true],
  ["deletes the chat", "/messages/{maren}/change", { change: "delete-chat", value: "" }, false],
  ["reads in the other's name", "/messages/{maren}/change", { change: "read", value: "99" }, false],
  ["mutes it", "/messages/{maren}/change", { change: "mute", value: "yes" }, true],
];

describe("no change is made by a request that", () => {
  for (const who of everybody)
    test.each(changes)(`%s (${who})`, async (_what, path, fields, refused) => {
      const before = await state();
      const cookie = cookies[who];
      const filled = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fill(value)]));
      const answer = await web.request(fill(path), formPost(filled, cookie ? { cookie } : {}));
      // Deleting or reading one's own, empty chat with Maren is allowed and does nothing.
      expect(answer.ok).toBe(!refused && who === "a third person");
      expect(await state()).toEqual(before);
    });

  test.each([
    ["writes without being signed in", "/messages/{maren}/send"],
    ["sends a file without being signed in", "/messages/{maren}/attach"],
  ])("%s", async (_what, path) => {
    const before = await state();
    expect((await web.request(fill(path), formPost({ text: "Hello", sendId: "x" }))).status).toBe(401);
    expect(await state()).toEqual(before);
  });

  test.each(["/send", "/attach", ""])("posts another account's message with the cookie of a later session: %s", async (path) => {
    const before = await state();
    const form = formPost({ from: world.maren.id, text: "Not mine", sendId: "y" }, { cookie: own });
    expect((await web.request(fill(`/messages/{outsider}${path}`), form)).status).toBe(401);
    expect(await state()).toEqual(before);
  });

  test.each(["delete-chat", "delete-message", "block", "mute", "read"])("is of another account's page: %s", async (change) => {
    const before = await state();
    const form = formPost({ from: ids.outsider, change, value: change === "delete-message" ? ids.message : "1" }, { cookie: own });
    expect((await web.request(fill("/messages/{maren}/change"), form)).status).toBe(401);
    expect(await state()).toEqual(before);
  });

  test("names a property of every object, such as `constructor`", async () => {
    for (const change of ["toString", "constructor", "__proto__"]) {
      const form = formPost({ change, value: "yes" }, { cookie: cookies["a third person"] ?? "" });
      expect((await web.request(fill("/messages/{maren}/change"), form)).status).toBe(422);
    }
  });

  const state = async () => ({
    messages: await world.site.db.selectFrom("messages").selectAll().orderBy("number").execute(),
    participants: await world.site.db.selectFrom("participants").selectAll().orderBy("userId").execute(),
  });
});

describe("a socket receives no", () => {
  const topics: [string, () => string][] = [
    ["the one person's messages", () => `user:${world.maren.id}`],
    ["the other person's messages", () => `user:${world.tobias.id}`],
    ["the conversation by its id", () => `conversation:${ids.conversation}`],
    ["whether they are online", () => `presence:${world.maren.id}`],
  ];

  for (const who of everybody)
    test.each(topics)(`%s (${who})`, async (_what, topic) => {
      const { exchange, close } = await connect(cookies[who]);
      await exchange({ subscribe: [topic(), "posts"] }, 2);
      const answers = await exchange(undefined, 2);
      expect(answers).toMatchObject([{ subscribed: ["posts"] }, { refused: [topic()] }]);
      await sendMessage(world.site, world.maren, { to: world.tobias.id, text: "psst", sendId: `${who} ${topic()}` });
      const partner = await connect(own);
      await partner.exchange({ subscribe: [`user:${world.tobias.id}`] }, 1);
      await sendMessage(world.site, world.maren, { to: world.tobias.id, text: "psst", sendId: `${who} ${topic()} 2` });
      await partner.exchange(undefined, 2);
      expect(await exchange(undefined, 2)).toHaveLength(2);
      close();
      partner.close();
    });

  test("message without a valid sender or receiver", async () => {
    const visitor = await connect(undefined);
    const [refused] = await visitor.exchange({ send: { to: world.maren.id, text: "Hello", sendId: "v" } }, 1);
    expect(refused).toMatchObject({ unsent: { sendId: "v", code: "sign-in-required" } });
    const partner = await connect(own);
    const [nobody] = await partner.exchange({ send: { to: "19dfa1c00000000000", text: "Hello", sendId: "n" } }, 1);
    expect(nobody).toMatchObject({ unsent: { code: "not-found" } });
    for (const tab of [visitor, partner]) tab.close();
  });

  test("message of another account", async () => {
    const { exchange, close } = await connect(own);
    const message = { to: (await addMember(world, "Fern Fresh")).id, text: "Hello", sendId: "f" };
    const [refused] = await exchange({ send: { ...message, from: world.maren.id } }, 1);
    expect(refused).toMatchObject({ unsent: { sendId: "f", code: "sign-in-required" } });
    const [, sent] = await exchange({ send: { ...message, from: world.tobias.id } }, 2);
    expect(sent).toMatchObject({ sent: { sendId: "f" } });
    close();
  });

  test("message of a member who was suspended after it opened", async () => {
    const late = await addMember(world, "Late Arrival");
    const tab = await connect((await signIn(world, late)).cookie);
    await tab.exchange({ subscribe: ["posts"] }, 1);
    await suspendMember(world.site, world.ruth, late.id, { days: 1, reason: "why" });
    const answers = await tab.exchange({ send: { to: world.tobias.id, text: "Hello", sendId: "s" } }, 2);
    expect(answers.at(-1)).toMatchObject({ unsent: { sendId: "s", code: "not-allowed" } });
    tab.close();
  });

  test("typing of a member without a conversation", async () => {
    await eventsDelivered(world.site);
    const target = await connect(own);
    await target.exchange({ subscribe: [`user:${world.tobias.id}`] }, 1);
    const outsider = await connect(cookies["a third person"]);
    outsider.send({ typing: world.tobias.id });
    const [answer] = await outsider.exchange({ send: { to: world.tobias.id, text: "", sendId: "blank" } }, 1);
    expect(answer).toMatchObject({ unsent: { code: "invalid" } });
    expect(await target.exchange(undefined, 1)).toHaveLength(1);
    for (const tab of [target, outsider]) tab.close();
  });
});

async function connect(cookie: string | undefined) {
  const { port } = server.address() as AddressInfo;
  const headers = { origin: "http://inkstead.test", ...(cookie ? { cookie } : {}) };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers });
  const answers: unknown[] = [];
  socket.on("message", (data) => answers.push(JSON.parse(String(data))));
  await once(socket, "open");
  const send = (request: unknown) => socket.send(JSON.stringify(request));
  return {
    send,
    /** Sends a frame and waits for `count` responses. */
    async exchange(request: unknown, count: number) {
      if (request) send(request);
      await expect.poll(() => answers.length).toBeGreaterThanOrEqual(count);
      return answers;
    },
    close: () => socket.terminate(),
  };
}
