import { expect, test } from "vitest";
import { FairQueue, type FairQueueLimits, QueueFull } from "./fair-queue.ts";

/** Jobs that end on request, and the order in which they started. */
function openQueue(limits: FairQueueLimits) {
  const queue = new FairQueue(limits);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const send = (name: string, signal?: AbortSignal) => {
    const work = () =>
      new Promise<string>((resolve) => {
        started.push(name);
        ends.set(name, () => resolve(name));
      });
    return queue.run(name[0] as string, work, signal);
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { queue, started, send, end };
}

test("serves keys in turn, one job of each at a time", async () => {
  const { started, send, end } = openQueue({ slots: 2, maxWaiting: 20, maxWaitingPerKey: 10 });
  const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map((name) => send(name));
  expect(started).toEqual(["a1", "b1"]);
  for (let at = 0; at < 6; at++) await end(started[at] as string);
  expect(started).toEqual(["a1", "b1", "a2", "b2", "c1", "a3"]);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
});

test("limits waiting jobs; when full, rejects the newest job of the longest queue", async () => {
  const { queue, started, send, end } = openQueue({ slots: 1, maxWaiting: 4, maxWaitingPerKey: 3 });
  const first = send("a0");
  const [a1, a2, a3] = ["a1", "a2", "a3"].map((name) => send(name));
  await expect(send("a4")).rejects.toThrow(QueueFull);
  const b1 = send("b1");
  const refused = expect(a3).rejects.toThrow(QueueFull);
  const c1 = send("c1");
  await refused;
  expect(queue.waiting).toBe(4);
  for (let at = 0; at < 5; at++) await end(started[at] as string);
  expect(started).toEqual(["a0", "a1", "b1", "c1", "a2"]);
  await Promise.all([first, a1, a2, b1, c1]);
  expect(queue.waiting).toBe(0);
});

test("removes aborted jobs, and continues after a failed one", async () => {
  const { queue, started, send, end } = openQueue({ slots: 1, maxWaiting: 4, maxWaitingPerKey: 3 });
  const leaving = new AbortController();
  const first = send("a1");
  const second = send("b1", leaving.signal);
  const third = send("c1");
  leaving.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  await expect(send("d1", leaving.signal)).rejects.toThrow("gone");
  await end("a1");
  expect(started).toEqual(["a1", "c1"]);
  await end("c1");
  await Promise.all([first, third]);
  await expect(queue.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await queue.run("a", async () => "next")).toBe("next");
});

test("a key may have several jobs running and leaves room for others", async () => {
  const { started, send, end } = openQueue({ slots: 2, maxRunningPerKey: 2, maxWaiting: 20, maxWaitingPerKey: 10 });
  const all = ["a1", "a2", "a3", "a4", "b1", "b2"].map((name) => send(name));
  expect(started).toEqual(["a1", "a2"]);
  await end("a1");
  expect(started).toEqual(["a1", "a2", "a3"]);
  await end("a2");
  expect(started).toEqual(["a1", "a2", "a3", "b1"]);
  for (const name of ["a3", "b1", "a4", "b2"]) await end(name);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4", "b1", "b2"]);
});
