/** Numbered pages without large offsets: pages near a shown one are reached from its row. */

type Anchor = { id: string; page: number };

export type NumberedPage = {
  limit: number;
  page: number;
  anchor?: Anchor | undefined;
};

export const maxOffsetPages = 200;
export const maxSkippedPages = 5;

export type PageWindow<Place> = { page: number; limit: number; from: Place | undefined; backwards: boolean; skip: number; take: number };

export async function planPage<Place>(
  { limit, page: requested, anchor }: NumberedPage,
  total: number,
  find: (id: string) => Promise<Place | undefined>,
): Promise<PageWindow<Place>> {
  const page = pageWithin(requested, total, limit);
  const distance = page - (anchor?.page ?? page);
  const from = anchor && page > 1 && Math.abs(distance) <= maxSkippedPages ? await find(anchor.id) : undefined;
  if (!from) return pageForwards({ page: Math.min(page, maxOffsetPages), limit, from }, Math.min(page, maxOffsetPages) - 1);
  if (distance >= 0) return pageForwards({ page, limit, from }, distance);
  return { page, limit, from, backwards: true, skip: 0, take: -distance * limit };
}

function pageForwards<Place>(start: Pick<PageWindow<Place>, "page" | "limit" | "from">, pages: number): PageWindow<Place> {
  const skip = pages * start.limit;
  return { ...start, backwards: false, skip, take: skip + start.limit };
}

export function rowsOfPage<Row>(found: Row[], { backwards, limit }: Pick<PageWindow<unknown>, "backwards" | "limit">): Row[] {
  return backwards ? found.slice(-limit).reverse() : found;
}

export function pageOfAll<Row>(rows: Row[], { limit, page: requested }: NumberedPage): { page: number; rows: Row[] } {
  const page = pageWithin(requested, rows.length, limit);
  return { page, rows: rows.slice((page - 1) * limit, page * limit) };
}

function pageWithin(page: number, total: number, limit: number): number {
  return Math.max(1, Math.min(page, Math.ceil(total / limit)));
}
