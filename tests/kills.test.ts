import { expect, inject, test } from "vitest";
import { killUnderLoad } from "./faults/kills.ts";

test("a server killed while people use all of it loses nothing that it has acknowledged", { timeout: 600_000 }, async () => {
  const { acknowledged } = await killUnderLoad(2, inject("engine"));
  expect(acknowledged).toBeGreaterThan(2);
});
