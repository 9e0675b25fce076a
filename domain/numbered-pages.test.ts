import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxOffsetPages, maxSkippedPages, type NumberedPage, pageOfAll, planPage, rowsOfPage } from "./numbered-pages.ts";

/** The rows of a list are 0, 1, 2, …; `total` is how many there are said to be, which may be out of date. */
async function walk(rows: number[], request: NumberedPage, total = rows.length) {
  const pageWindow = await planPage(request, total, async (id) => (rows.includes(Number(id)) ? Number(id) : undefined));
  const { from = 0, backwards, skip, take } = pageWindow;
  const beyond = backwards ? rows.filter((row) => row < from).toReversed() : rows.filter((row) => row >= from);
  return { page: pageWindow.page, take, rows: rowsOfPage(beyond.slice(0, take).slice(skip), pageWindow) };
}

const range = (length: number, start = 0) => Array.from({ length }, (_, i) => start + i);
const limit = 20;

describe("numbered pages", () => {
  test("equal slices of the whole list, from any anchor", async () => {
    const cases = {
      length: fc.nat(900),
      limit: fc.integer({ min: 1, max: 40 }),
      page: fc.integer({ min: 1, max: 50 }),
      from: fc.integer({ min: 1, max: 50 }),
    };
    await fc.assert(
      fc.asyncProperty(fc.record(cases), async ({ length, limit, page, from }) => {
        const rows = range(length);
        const anchor = { id: String((from - 1) * limit), page: from };
        const { page: shown, rows: found } = await walk(rows, { limit, page, anchor });
        expect({ page: shown, rows: found }).toEqual(pageOfAll(rows, { limit, page }));
      }),
    );
  });

  test("near the anchor need no offset", async () => {
    const start = 49_999 * limit;
    const rows = range(200, start - 100);
    const anchor = { id: String(start), page: 50_000 };
    for (const distance of [-maxSkippedPages, -1, 0, 1, maxSkippedPages]) {
      const found = await walk(rows, { limit, page: 50_000 + distance, anchor }, 2_000_000);
      expect(found).toMatchObject({
        page: 50_000 + distance,
        rows: range(limit, start + distance * limit).filter((row) => rows.includes(row)),
      });
      expect(found.take).toBeLessThanOrEqual((maxSkippedPages + 1) * limit);
    }
  });

  test("too far from the anchor, or from a deleted one, are limited to the largest offset", async () => {
    const rows = range(maxOffsetPages * limit + 500);
    const farthest = { page: maxOffsetPages, rows: range(limit, (maxOffsetPages - 1) * limit) };
    for (const anchor of [undefined, { id: "0", page: 1 }, { id: "gone", page: maxOffsetPages }])
      expect(await walk(rows, { limit, page: maxOffsetPages + 7, anchor })).toMatchObject(farthest);
  });

  test("start at the first row", async () => {
    expect(await walk(range(100), { limit, page: 1, anchor: { id: "37", page: 2 } })).toMatchObject({ page: 1, rows: range(limit) });
  });

  test("aren't empty after removals above the anchor", async () => {
    const rows = range(75, 65);
    expect((await walk(rows, { limit, page: 2, anchor: { id: "80", page: 5 } })).rows).toEqual(range(15, 65));
  });

  test("of an empty list: one", async () => {
    expect(await walk([], { limit, page: 3 })).toMatchObject({ page: 1, rows: [] });
    expect(pageOfAll([], { limit, page: 3 })).toEqual({ page: 1, rows: [] });
  });
});
