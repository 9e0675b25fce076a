import { expect, inject, test } from "vitest";
import { publishAndKill } from "./crash.ts";

test("a server killed while it publishes leaves the whole story or nothing of it", { timeout: 180_000 }, async () => {
  const { whole, absent } = await publishAndKill(8, inject("engine"));
  expect(whole + absent).toBe(8);
});
