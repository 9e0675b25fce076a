import { expect, test } from "vitest";
import { writeAndKill } from "./faults/durable-writes.ts";

test("a process killed under many writes loses nothing acknowledged", async () => {
  const kills = 5;
  const { acknowledged } = await writeAndKill(kills);
  expect(acknowledged).toBeGreaterThanOrEqual(kills);
});
