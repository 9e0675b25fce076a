import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LiveRequest, LiveResponse } from "#domain/live.ts";
import { LiveConnection, reconnectDelayMs, type Socket } from "./live-connection.ts";

class FakeSocket implements Socket {
  readyState: 0 | 1 | 2 | 3 = 0;
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  sent: LiveRequest[] = [];
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  lose(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  receive(answer: LiveResponse) {
    this.onmessage?.({ data: JSON.stringify(answer) });
  }
}

let sockets: FakeSocket[];
let connection: LiveConnection;
let received: string[];
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
  sockets = [];
  received = [];
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
const listen = (topics: string[], after?: string, viewerId: string | null = null) =>
  connection.listen({ topics, after, viewerId }, ({ type }) => received.push(type));
const event = (topic: string, type: string, cursor: string) => ({ event: { topic, type, cursor, data: {} } }) as unknown as LiveResponse;

test("reconnects after 1 s five times, 5 s until the 15th attempt, 10 s until the 100th, then each minute", () => {
  expect([1, 5, 6, 15, 16, 100, 101, 5_000].map(reconnectDelayMs)).toEqual([1_000, 1_000, 5_000, 5_000, 10_000, 10_000, 60_000, 60_000]);
});

test("the delay is random, between four fifths of its upper bound and all of it", async () => {
  vi.mocked(Math.random).mockReturnValue(0.999);
  listen(["posts"]);
  last().lose();
  await vi.advanceTimersByTimeAsync(799);
  expect(sockets).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10);
  expect(sockets).toHaveLength(2);
});

describe("a tab", () => {
  test("has one connection for all listeners, and each gets the events of its topics", () => {
    listen(["posts"], "5");
    listen(["posts", "post:a"]);
    last().open();
    expect(sockets).toHaveLength(1);
    expect(last().sent).toEqual([{ subscribe: ["posts"], after: "5" }, { subscribe: ["post:a"] }]);
    last().receive(event("post:a", "liked", "6"));
    expect(received).toEqual(["liked"]);
    last().receive(event("posts", "created", "7"));
    expect(received).toEqual(["liked", "created", "created"]);
    last().receive(event("post:b", "liked", "8"));
    expect(received).toHaveLength(3);
  });

  test("resubscribes to each topic from its last cursor", async () => {
    listen(["posts"], "5");
    listen(["post:a"]);
    last().open();
    last().receive({ subscribed: ["posts"], cursor: "5" });
    last().receive({ subscribed: ["post:a"], cursor: "6" });
    last().receive(event("posts", "created", "9"));
    last().lose();
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    expect(sockets).toHaveLength(2);
    expect(last().sent).toEqual([
      { subscribe: ["posts"], after: "9" },
      { subscribe: ["post:a"], after: "6" },
    ]);
  });

  test("reconnects without limit, with short delays again after a success", async () => {
    listen(["posts"]);
    for (let i = 0; i < 6; i++) {
      last().lose();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(sockets).toHaveLength(6);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(sockets).toHaveLength(7);
    last().open();
    last().receive({ subscribed: ["posts"], cursor: "1" });
    last().lose();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sockets).toHaveLength(8);
  });

  test("stops when its session has ended, until another viewer listens", async () => {
    listen(["posts"], undefined, "maren");
    last().open();
    last().lose(1008);
    await vi.advanceTimersByTimeAsync(200_000);
    listen(["post:a"], undefined, "maren");
    expect(sockets).toHaveLength(1);
    listen(["post:a"], undefined, "tobias");
    expect(sockets).toHaveLength(2);
    last().open();
    expect(last().sent).toEqual([{ subscribe: ["posts", "post:a"] }]);
  });

  test("reconnects when its session has begun again", () => {
    listen(["posts"], undefined, "maren");
    last().open();
    last().lose(1008);
    connection.restart();
    expect(sockets).toHaveLength(2);
    last().open();
    expect(last().sent).toEqual([{ subscribe: ["posts"] }]);
  });

  test("unsubscribes from topics without listeners, and disconnects after a while without topics", async () => {
    const unsubscribe = listen(["posts"]);
    const other = listen(["posts"]);
    last().open();
    unsubscribe();
    expect(last().sent).toHaveLength(1);
    other();
    expect(last().sent.at(-1)).toEqual({ unsubscribe: ["posts"] });
    expect(last().readyState).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(last().readyState).toBe(3);
    listen(["posts"]);
    expect(sockets).toHaveLength(2);
  });

  test("keeps the connection from one page to the next", async () => {
    const unsubscribe = listen(["posts"]);
    last().open();
    unsubscribe();
    listen(["post:a"], "7");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sockets).toHaveLength(1);
    expect(last().sent.slice(1)).toEqual([{ unsubscribe: ["posts"] }, { subscribe: ["post:a"], after: "7" }]);
  });

  test("disconnects while its page is in the back/forward cache", () => {
    listen(["posts"], "3");
    last().open();
    connection.pause();
    expect(last().readyState).toBe(3);
    connection.resume();
    last().open();
    expect(sockets).toHaveLength(2);
    expect(last().sent).toEqual([{ subscribe: ["posts"], after: "3" }]);
  });
});

describe("a broadcast", () => {
  test("reaches its listeners; a state also reaches later ones", () => {
    const broadcasts: string[] = [];
    const recordEvents = (name: string) =>
      connection.listen(
        { topics: ["presence:a"], viewerId: "me" },
        () => {},
        ({ type }) => broadcasts.push(`${name} ${type}`),
      );
    recordEvents("first");
    last().open();
    last().receive({ broadcast: { topic: "presence:a", type: "typing", data: {} } });
    last().receive({ broadcast: { topic: "presence:a", type: "online", data: {} } });
    recordEvents("second");
    last().receive({ refused: ["presence:a"] });
    expect(broadcasts).toEqual(["first typing", "first online", "second online", "first refused", "second refused"]);
  });
});

describe("a message", () => {
  const message = { to: "a", text: "Hello", sendId: "1" };

  test("is sent and acknowledged", async () => {
    listen(["user:me"], "5", "me");
    last().open();
    const answer = connection.sendMessage(message);
    expect(last().sent.at(-1)).toEqual({ send: message });
    last().receive({ sent: { sendId: "1", id: "m", number: 7, createdAt: 1 } });
    expect(await answer).toMatchObject({ sent: { number: 7 } });
  });

  test("is rejected without a connection, without an answer or when the connection is lost", async () => {
    await expect(connection.sendMessage(message)).rejects.toThrow("no connection");
    listen(["user:me"], "5", "me");
    last().open();
    const unanswered = expect(connection.sendMessage(message)).rejects.toThrow("No answer");
    vi.advanceTimersByTime(10_000);
    await unanswered;
    // The connection may be dead.
    expect(sockets.map(({ readyState }) => readyState)).toEqual([3, 0]);
    last().open();
    const lost = expect(connection.sendMessage(message)).rejects.toThrow("No answer");
    last().lose();
    await lost;
  });
});

test("a connection without heartbeats is replaced", async () => {
  listen(["posts"], "5");
  last().open();
  last().receive(event("posts", "created", "6"));
  for (let count = 0; count < 5; count++) {
    await vi.advanceTimersByTimeAsync(20_000);
    last().receive({ refused: [] });
  }
  expect(sockets).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(sockets.map(({ readyState }) => readyState)).toEqual([3, 0]);
  last().open();
  expect(last().sent).toEqual([{ subscribe: ["posts"], after: "6" }]);
  last().lose(1008);
  await vi.advanceTimersByTimeAsync(200_000);
  expect([sockets.length, connection.state]).toEqual([2, "stopped"]);
});

test("a late listener gets the events since its page was loaded", () => {
  listen(["user:me"], "5", "me");
  last().open();
  for (const cursor of ["6", "7", "8"]) last().receive(event("user:me", `at ${cursor}`, cursor));
  received = [];
  listen(["user:me"], "7", "me");
  expect(received).toEqual(["at 8"]);
});

test("reports its state", () => {
  const seen: string[] = [];
  connection.watch(() => seen.push(connection.state));
  listen(["user:me"], "5", "me");
  last().open();
  last().receive({ subscribed: ["user:me"], cursor: "5" });
  last().lose();
  vi.advanceTimersByTime(1_000);
  last().lose(1008);
  expect(seen).toEqual(["connecting", "open", "waiting", "connecting", "stopped"]);
});
