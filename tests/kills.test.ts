import { expect, inject, test } from "vitest";
import { killUnderLoad } from "./faults/kills.ts";

test("a server killed in full use loses nothing acknowledged", { timeout: 600_000 }, async () => {
  const { acknowledged } = await killUnderLoad(2, inject("engine"));
  expect(acknowledged).toBeGreaterThan(2);
});
