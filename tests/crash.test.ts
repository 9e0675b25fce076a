import { expect, inject, test } from "vitest";
import { publishAndKill } from "./faults/crash.ts";

test("a server killed while it publishes leaves the whole story or nothing of it", { timeout: 600_000 }, async () => {
  const { whole, absent } = await publishAndKill(3, inject("engine"));
  expect(whole + absent).toBe(3);
});
