import { expect, test } from "vitest";
import { Batcher, type BatchItem } from "./batcher.ts";

const double = (parts: number[][]) => async (items: BatchItem<number, number>[]) => {
  parts.push(items.map(({ item }) => item));
  for (const { item, resolve, reject } of items)
    if (item < 0) reject(new Error(`${item}`));
    else resolve(2 * item);
};

test("items of one turn are handled together in batches of limited size, each with its own result", async () => {
  const parts: number[][] = [];
  const batcher = new Batcher<number, number>({ max: 3, pauseMs: 0 });
  const results = await Promise.allSettled([1, 2, -3, 4].map((item) => batcher.add(item, double(parts))));
  expect(parts).toEqual([[1, 2, -3], [4]]);
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : result.reason.message))).toEqual([2, 4, "-3", 8]);
});

test("the next items wait for the pause, the first ones don't", async () => {
  const parts: number[][] = [];
  const batcher = new Batcher<number, number>({ max: 10, pauseMs: 30 });
  await batcher.add(1, double(parts));
  const later = [batcher.add(2, double(parts))];
  await new Promise((resolve) => setImmediate(resolve));
  later.push(batcher.add(3, double(parts)));
  expect(await Promise.all(later)).toEqual([4, 6]);
  expect(parts).toEqual([[1], [2, 3]]);
});

test("an error rejects what is not settled yet", async () => {
  const batcher = new Batcher<number, number>({ max: 10, pauseMs: 0 });
  const work = async ([first]: BatchItem<number, number>[]) => {
    first?.resolve(1);
    throw new Error("broken");
  };
  const results = await Promise.allSettled([batcher.add(1, work), batcher.add(2, work)]);
  expect(results).toMatchObject([{ value: 1 }, { reason: { message: "broken" } }]);
});
