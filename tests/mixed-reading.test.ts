import { expect, test } from "vitest";
import { readWhileWriting } from "./faults/mixed-reading.ts";

/** The short version of `npm run prove -- reading`. */
test("pages of two processes are at most a second out of date and never show hidden stories", async () => {
  const { reads, writes, compared } = await readWhileWriting(5_000);
  expect(Math.min(reads, writes, compared)).toBeGreaterThan(20);
});
