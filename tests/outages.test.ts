import { expect, test } from "vitest";
import { fillDisk, freezeOneOfTwo } from "./faults/outages.ts";

const second = 1_000;
const slow = { timeout: 600_000 };

test("a full disk refuses saves, serves pages, and loses nothing acknowledged", slow, async () => {
  const outage = await fillDisk(2 * second);
  // Only root may mount a small disk.
  expect(outage?.during ?? { page: [200], saves: [503] }).toEqual({ page: [200], saves: [503] });
});

test("a frozen process with database locks doesn't block the other one's saves", slow, async () => {
  const { during } = await freezeOneOfTwo(2 * second);
  expect(during.page).toEqual([200]);
});
