import { expect, inject, test } from "vitest";
import { sendThroughFaults } from "./faults/mail-faults.ts";

/** The short version of `npm run prove -- --only mail`. */
test("after any fault every email has arrived once or is listed as failed", { timeout: 600_000 }, async () => {
  const { emails, sent, failed, unknown } = await sendThroughFaults(3, 40, inject("engine"));
  expect(sent + failed + unknown).toBe(emails);
  expect(sent).toBeGreaterThan(emails / 2);
});
