import { expect, inject, test } from "vitest";
import { publishAndKill } from "./faults/crash.ts";

test("a server killed during publishing leaves the complete story or none of it", { timeout: 600_000 }, async () => {
  const { complete, absent } = await publishAndKill(3, inject("engine"));
  expect(complete + absent).toBe(3);
});
