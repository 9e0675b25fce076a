import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Broadcast, Broadcasts } from "#platform/events/events.ts";
import { createLog } from "#platform/log.ts";
import { SharedTokenBuckets } from "./buckets.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const rate = { burst: 100, perSecond: 10 };

/** Processes that receive each other's broadcasts, as with NOTIFY, and the sent messages. */
function startProcesses(count: number) {
  const sent: Broadcast[] = [];
  const all: Broadcasts[] = [];
  const start = () => {
    const broadcasts = new Broadcasts({} as never, "sqlite", createLog("silent"));
    broadcasts.send = (message) => {
      sent.push(message);
      for (const each of all) each.deliver(structuredClone(message));
    };
    all.push(broadcasts);
    const counts = new SharedTokenBuckets({ broadcasts, hasOtherProcesses: () => count > 1, now: () => Date.now() });
    return { network: counts.open("network", rate), account: counts.open("account", rate) };
  };
  return { sent, processes: Array.from({ length: count }, start) as [ReturnType<typeof start>, ReturnType<typeof start>] };
}

test("what a network takes from one process is taken from the others within a second, and refilled once", async () => {
  const [one, other] = startProcesses(3).processes;
  for (let i = 0; i < 100; i++) expect(one.network.take("203.0.113.5", 1)).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([other.network.take("203.0.113.5", 20), other.network.take("203.0.113.6", 20)]).toEqual([2, 0]);
  expect(other.account.take("203.0.113.5", 20)).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(other.network.take("203.0.113.5", 20)).toBe(0);
});

test("taking from all processes at once leads to a debt, one burst at most", async () => {
  const { processes } = startProcesses(5);
  for (const { network } of processes) network.take("a", 100);
  await vi.advanceTimersByTimeAsync(1_000);
  // The empty bucket was refilled for a second before it received the others' counts.
  const [first] = processes;
  expect(first.network.take("a", 1)).toBe(11);
});

test("one message a second, for any number of requests", async () => {
  const { sent, processes } = startProcesses(2);
  for (let i = 0; i < 50; i++) {
    processes[0].network.take("a", 1);
    processes[0].account.take("b", 1);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(sent.length).toBeLessThanOrEqual(5);
  expect(sent.every(({ data }) => String(data.taken).split("\n").length === 3)).toBe(true);
});

test("one message is enough for many networks: it names the largest", async () => {
  const { sent, processes } = startProcesses(2);
  for (let i = 0; i < 5_000; i++) processes[0].network.take(`2001:db8:1:${i.toString(16)}::/64`, 1 + i / 100);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(1);
  expect(JSON.stringify(sent[0]).length).toBeLessThan(7_500);
  expect(processes[1].network.take(`2001:db8:1:${(4_999).toString(16)}::/64`, 99)).toBeGreaterThan(0);
});

test("little use is not sent, and a single process sends nothing", async () => {
  const { sent, processes } = startProcesses(2);
  processes[0].network.take("a", 0.9);
  await vi.advanceTimersByTimeAsync(5_000);
  const alone = startProcesses(1);
  alone.processes[0].network.take("a", 100);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([sent, alone.sent]).toEqual([[], []]);
});
