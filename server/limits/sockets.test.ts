import { expect, test } from "vitest";
import { SocketCounter } from "./sockets.ts";

function enter(counter: SocketCounter) {
  const slot = counter.enter("10.0.0.1");
  if (typeof slot === "number") throw new Error(`refused with ${slot}`);
  return slot;
}

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
