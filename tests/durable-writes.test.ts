import { expect, test } from "vitest";
import { writeAndKill } from "./faults/durable-writes.ts";

test("a process killed while many write loses nothing that it has acknowledged", async () => {
  const kills = 5;
  const { acknowledged } = await writeAndKill(kills);
  expect(acknowledged).toBeGreaterThanOrEqual(kills);
});
