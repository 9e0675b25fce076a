import { expect, test } from "vitest";
import { writeAndKill } from "./durable-writes.ts";

test("a process killed while many write loses nothing that it has acknowledged", { timeout: 60_000 }, async () => {
  const kills = 5;
  const { acknowledged } = await writeAndKill(kills);
  expect(acknowledged).toBeGreaterThanOrEqual(kills);
});
