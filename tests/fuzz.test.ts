import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { fuzz } from "./fuzz/fuzz.ts";
import { openTarget, type Target } from "./fuzz/target.ts";

/** The short version of `npm run fuzz`, always with the same requests. */
const seed = 1;
/** Rejected before a query; a sample tests PostgreSQL's own handling of the values. */
const requests = inject("engine") === "postgres" ? 120 : 400;

describe("a running site under fuzzing", () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget(inject("engine"), { people: 12 });
  });
  afterAll(() => target?.close());

  test("neither crashes nor responds with 500", async () => {
    const report = await fuzz(target, { requests, seed, maxMinutes: 5, known: true, measures: false });
    expect(report.sent).toBeGreaterThan(requests);
    expect({ crashes: report.crashes, failures: report.failures }, `seed ${seed}`).toEqual({ crashes: [], failures: [] });
    expect(report.health.failures).toBe(0);
  }, 600_000);
});
