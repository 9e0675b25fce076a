import { expect } from "vitest";
import type { Site } from "#domain/site.ts";
import { readAllCounters } from "../faults/counters.ts";

/** Compares each counter with the rows that it counts. */
export async function expectExactCounters(site: Site): Promise<void> {
  const { kept, counted } = await readAllCounters(site);
  expect(kept).toEqual(counted);
}
