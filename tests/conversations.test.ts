import { expect, test } from "vitest";
import { converseUnderFaults } from "./faults/conversations.ts";

/** The short version of `npm run prove -- --only messages`. */
test("after any fault both sides have the same messages, each once and in order", { timeout: 600_000 }, async () => {
  const { messages, kills } = await converseUnderFaults(20);
  expect(messages).toBeGreaterThan(50);
  expect(kills).toBe(1);
});
