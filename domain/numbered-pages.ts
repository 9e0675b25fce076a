/** Lists in numbered pages, however long they are: pages near one that was shown are found from there, not counted off. */

/** The first row of a page that was shown before. */
export type Anchor = { id: string; page: number };

export type NumberedPage = {
  /** Rows on a page. */
  limit: number;
  /** From 1. */
  page: number;
  anchor?: Anchor | undefined;
};

/** Pages that are counted off from the beginning of a list at most. */
export const maxOffsetRows = 200;
/** Pages that are counted off from the anchor at most. */
export const maxSkippedPages = 5;

/**
 * How to walk to a page: from a row (the beginning without one), backwards or not, past `skip` rows, `take` rows in all.
 * The row at `from` is the first one forwards, and none of those backwards.
 */
export type PageWindow<Place> = { page: number; limit: number; from: Place | undefined; backwards: boolean; skip: number; take: number };

/**
 * The way to a page of a list of `total` rows, or to its last one. `find` knows the place of a row, unless it is gone. Without one
 * near enough the page is counted off, and whoever asks for a far one gets the farthest that is.
 */
export async function wayTo<Place>(
  { limit, page: asked, anchor }: NumberedPage,
  total: number,
  find: (id: string) => Promise<Place | undefined>,
): Promise<PageWindow<Place>> {
  const page = pageWithin(asked, total, limit);
  const distance = page - (anchor?.page ?? page);
  const from = anchor && page > 1 && Math.abs(distance) <= maxSkippedPages ? await find(anchor.id) : undefined;
  if (!from) return forwards({ page: Math.min(page, maxOffsetRows), limit, from }, Math.min(page, maxOffsetRows) - 1);
  if (distance >= 0) return forwards({ page, limit, from }, distance);
  return { page, limit, from, backwards: true, skip: 0, take: -distance * limit };
}

function forwards<Place>(start: Pick<PageWindow<Place>, "page" | "limit" | "from">, pages: number): PageWindow<Place> {
  const skip = pages * start.limit;
  return { ...start, backwards: false, skip, take: skip + start.limit };
}

/** The rows of the page in the list's order, of those that the way led to past the skipped ones. */
export function rowsOfPage<Row>(found: Row[], { backwards, limit }: Pick<PageWindow<unknown>, "backwards" | "limit">): Row[] {
  return backwards ? found.slice(-limit).reverse() : found;
}

/** A page of rows that are all at hand. */
export function pageOfAll<Row>(rows: Row[], { limit, page: asked }: NumberedPage): { page: number; rows: Row[] } {
  const page = pageWithin(asked, rows.length, limit);
  return { page, rows: rows.slice((page - 1) * limit, page * limit) };
}

function pageWithin(page: number, total: number, limit: number): number {
  return Math.max(1, Math.min(page, Math.ceil(total / limit)));
}
