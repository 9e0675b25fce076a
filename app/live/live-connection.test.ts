import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LiveAnswer, LiveRequest } from "#domain/live.ts";
import { LiveConnection, type Socket, waitBefore } from "./live-connection.ts";

class FakeSocket implements Socket {
  readyState: 0 | 1 | 2 | 3 = 0;
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  said: LiveRequest[] = [];
  send(text: string) {
    this.said.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  accept() {
    this.readyState = 1;
    this.onopen?.();
  }
  lose(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  hear(answer: LiveAnswer) {
    this.onmessage?.({ data: JSON.stringify(answer) });
  }
}

let sockets: FakeSocket[];
let connection: LiveConnection;
let heard: string[];
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
  sockets = [];
  heard = [];
  connection = new LiveConnection(() => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const last = () => sockets.at(-1) as FakeSocket;
const listen = (topics: string[], after?: string, person: string | null = null) =>
  connection.listen({ topics, after, person }, ({ type }) => heard.push(type));
const event = (topic: string, type: string, cursor: string) => ({ event: { topic, type, cursor, data: {} } }) as unknown as LiveAnswer;

test("the waits grow: 1 s five times, 5 s to the 15th, 10 s to the 100th, then a minute", () => {
  expect([1, 5, 6, 15, 16, 100, 101, 5_000].map(waitBefore)).toEqual([1_000, 1_000, 5_000, 5_000, 10_000, 10_000, 60_000, 60_000]);
});

test("browsers come back apart, none later than the wait says and none before four fifths of it", async () => {
  vi.mocked(Math.random).mockReturnValue(0.999);
  listen(["posts"]);
  last().lose();
  await vi.advanceTimersByTimeAsync(799);
  expect(sockets).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10);
  expect(sockets).toHaveLength(2);
});

describe("a tab", () => {
  test("has one connection for all who listen, and hears each event where it belongs", () => {
    listen(["posts"], "5");
    listen(["posts", "post:a"]);
    last().accept();
    expect(sockets).toHaveLength(1);
    expect(last().said).toEqual([{ subscribe: ["posts"], after: "5" }, { subscribe: ["post:a"] }]);
    last().hear(event("post:a", "liked", "6"));
    expect(heard).toEqual(["liked"]);
    last().hear(event("posts", "created", "7"));
    expect(heard).toEqual(["liked", "created", "created"]);
    last().hear(event("post:b", "liked", "8"));
    expect(heard).toHaveLength(3);
  });

  test("asks again for each topic from where it was heard last", async () => {
    listen(["posts"], "5");
    listen(["post:a"]);
    last().accept();
    last().hear({ subscribed: ["posts"], cursor: "5" });
    last().hear({ subscribed: ["post:a"], cursor: "6" });
    last().hear(event("posts", "created", "9"));
    last().lose();
    await vi.advanceTimersByTimeAsync(1_000);
    last().accept();
    expect(sockets).toHaveLength(2);
    expect(last().said).toEqual([
      { subscribe: ["posts"], after: "9" },
      { subscribe: ["post:a"], after: "6" },
    ]);
  });

  test("tries again for as long as it takes, and from the start once it was heard", async () => {
    listen(["posts"]);
    for (let i = 0; i < 6; i++) {
      last().lose();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(sockets).toHaveLength(6);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(sockets).toHaveLength(7);
    last().accept();
    last().hear({ subscribed: ["posts"], cursor: "1" });
    last().lose();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sockets).toHaveLength(8);
  });

  test("stops for good when its session has ended, until somebody else is there", async () => {
    listen(["posts"], undefined, "maren");
    last().accept();
    last().lose(1008);
    await vi.advanceTimersByTimeAsync(200_000);
    listen(["post:a"], undefined, "maren");
    expect(sockets).toHaveLength(1);
    listen(["post:a"], undefined, "tobias");
    expect(sockets).toHaveLength(2);
    last().accept();
    expect(last().said).toEqual([{ subscribe: ["posts", "post:a"] }]);
  });

  test("leaves what nobody listens to, and hangs up a little later", async () => {
    const leave = listen(["posts"]);
    const other = listen(["posts"]);
    last().accept();
    leave();
    expect(last().said).toHaveLength(1);
    other();
    expect(last().said.at(-1)).toEqual({ unsubscribe: ["posts"] });
    expect(last().readyState).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(last().readyState).toBe(3);
    listen(["posts"]);
    expect(sockets).toHaveLength(2);
  });

  test("goes from one page to the next on the same connection", async () => {
    const leave = listen(["posts"]);
    last().accept();
    leave();
    listen(["post:a"], "7");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
    expect(last().said.slice(1)).toEqual([{ unsubscribe: ["posts"] }, { subscribe: ["post:a"], after: "7" }]);
  });

  test("hangs up while its page is put aside, and is back with it", () => {
    listen(["posts"], "3");
    last().accept();
    connection.pause();
    expect(last().readyState).toBe(3);
    connection.resume();
    last().accept();
    expect(sockets).toHaveLength(2);
    expect(last().said).toEqual([{ subscribe: ["posts"], after: "3" }]);
  });
});

describe("what is only said in passing", () => {
  test("reaches who listens for it, and a state also who comes later", () => {
    const broadcasts: string[] = [];
    const hear = (name: string) =>
      connection.listen(
        { topics: ["presence:a"], person: "me" },
        () => {},
        ({ type }) => broadcasts.push(`${name} ${type}`),
      );
    hear("first");
    last().accept();
    last().hear({ broadcast: { topic: "presence:a", type: "typing", data: {} } });
    last().hear({ broadcast: { topic: "presence:a", type: "online", data: {} } });
    hear("second");
    last().hear({ refused: ["presence:a"] });
    expect(broadcasts).toEqual(["first typing", "first online", "second online", "first refused", "second refused"]);
  });
});

describe("a message", () => {
  const message = { to: "a", text: "Hello", sendId: "1" };

  test("is sent over the connection and answered", async () => {
    listen(["user:me"], "5", "me");
    last().accept();
    const answer = connection.post(message);
    expect(last().said.at(-1)).toEqual({ send: message });
    last().hear({ sent: { sendId: "1", id: "m", number: 7, createdAt: 1 } });
    expect(await answer).toMatchObject({ sent: { number: 7 } });
  });

  test("without a connection, without an answer or when it is lost is not known to have arrived", async () => {
    await expect(connection.post(message)).rejects.toThrow("no connection");
    listen(["user:me"], "5", "me");
    last().accept();
    const unanswered = expect(connection.post(message)).rejects.toThrow("No answer");
    vi.advanceTimersByTime(10_000);
    await unanswered;
    const lost = expect(connection.post(message)).rejects.toThrow("No answer");
    last().lose();
    await lost;
  });
});

test("who begins to listen late is told what came since their page was loaded", () => {
  listen(["user:me"], "5", "me");
  last().accept();
  for (const cursor of ["6", "7", "8"]) last().hear(event("user:me", `at ${cursor}`, cursor));
  heard = [];
  listen(["user:me"], "7", "me");
  expect(heard).toEqual(["at 8"]);
});

test("says how it stands", () => {
  const seen: string[] = [];
  connection.watch(() => seen.push(connection.state));
  listen(["user:me"], "5", "me");
  last().accept();
  last().hear({ subscribed: ["user:me"], cursor: "5" });
  last().lose();
  vi.advanceTimersByTime(1_000);
  last().lose(1008);
  expect(seen).toEqual(["connecting", "open", "waiting", "connecting", "stopped"]);
});
