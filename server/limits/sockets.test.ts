import { expect, test } from "vitest";
import { SocketCounter } from "./sockets.ts";

function enter(counter: SocketCounter) {
  const slot = counter.enter("10.0.0.1");
  if (typeof slot === "number") throw new Error(`refused with ${slot}`);
  return slot;
}

test("the networks of one IPv6 line together have four times the sockets of one", () => {
  const counter = new SocketCounter({ perNetwork: 2, total: 100 });
  const enterAll = (addresses: string[]) => addresses.map((address) => counter.enter(address));
  const line = Array.from({ length: 40 }, (_, index) => `2001:db8:1:12${index.toString(16).padStart(2, "0")}::1`);
  const slots = enterAll(line);
  expect(slots.filter((slot) => typeof slot !== "number")).toHaveLength(8);
  expect(slots.slice(8)).toEqual(Array(32).fill(429));
  const others = enterAll(["2001:db8:1:1300::1", "203.0.113.5"]);
  expect(others.filter((slot) => typeof slot === "number")).toEqual([]);
  for (const slot of [...slots, ...others]) if (typeof slot !== "number") slot.release();
  expect(enterAll(line).filter((slot) => slot === 429)).toHaveLength(32);
  expect(counter.open).toBe(8);
});

test("the lines of one IPv6 /48 together have eight times the sockets of one network", () => {
  const counter = new SocketCounter({ perNetwork: 2, total: 100 });
  const lines = Array.from({ length: 20 }, (_, index) => `2001:db8:1:${index.toString(16)}00::1`);
  const slots = lines.map((address) => counter.enter(address));
  expect(slots.filter((slot) => typeof slot !== "number")).toHaveLength(16);
  expect(counter.enter("2001:db8:2::1")).not.toBe(429);
  for (const slot of slots) if (typeof slot !== "number") slot.release();
  expect(counter.open).toBe(1);
});

test("a released slot counts nothing more", () => {
  const counter = new SocketCounter({ perAccount: 1, anonymousApiPerNetwork: 1 });
  const aborted = enter(counter);
  aborted.release();
  expect([aborted.assignAccount("ada"), aborted.countAnonymous(), counter.open]).toEqual([false, false, 0]);
  const slot = enter(counter);
  expect([slot.assignAccount("ada"), slot.countAnonymous()]).toEqual([true, true]);
  slot.release();
  slot.release();
  const next = enter(counter);
  expect([next.assignAccount("ada"), next.countAnonymous(), counter.open]).toEqual([true, true, 1]);
});
