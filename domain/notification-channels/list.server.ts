import { cutPage, readCursor } from "#platform/database/keyset.ts";
import { kindNames, type NotificationKind } from "../notifications/kinds.ts";
import { readPreferences } from "../notifications/preferences.server.ts";
import { requirePermission } from "../permissions.ts";
import type { Member, Site, Viewer } from "../site.ts";
import type { NotificationEntry } from "./entry.ts";
import type { SourcePage } from "./source.server.ts";
import { sources } from "./sources.server.ts";

/** `next` is the cursor of the following page, null on the last one. */
export type EntryPage = { entries: NotificationEntry[]; next: string | null };

type Request = { kind?: NotificationKind | undefined; onlyUnread?: boolean; after?: string | null; limit: number };

/** The viewer's notifications on the site, newest first. */
export async function listNotifications(site: Site, viewer: Viewer, { kind, ...request }: Request): Promise<EntryPage> {
  requirePermission(viewer, "see own notifications", viewer?.id);
  const preferences: Partial<Record<NotificationKind, { onSite: boolean }>> = await readPreferences(site, viewer.id);
  const kinds = kindNames.filter((each) => preferences[each]?.onSite !== false);
  return readEntries(site, viewer, { ...request, kinds: kind ? kinds.filter((each) => each === kind) : kinds });
}

type EntryQuery = Omit<Request, "kind"> & { kinds: NotificationKind[] };

/** Entries of these kinds, regardless of the member's preferences. Merges a page of each source. */
export async function readEntries(site: Site, viewer: Member, { kinds, onlyUnread = false, after, limit }: EntryQuery): Promise<EntryPage> {
  const position = readPosition(after);
  const pages = await Promise.all(
    sources.map(async ({ kinds: own, read }, rank) => {
      const requested = own.filter((kind) => kinds.includes(kind));
      if (requested.length === 0) return [];
      const page = { kinds: requested, onlyUnread, before: positionInSource(rank, position), limit: limit + 1 };
      return (await read(site, viewer, page)).map((keyed) => ({ ...keyed, rank }));
    }),
  );
  const newest = pages
    .flat()
    .map((keyed, index) => ({ ...keyed, index }))
    .sort((a, b) => b.entry.at - a.entry.at || a.rank - b.rank || a.index - b.index)
    .slice(0, limit + 1);
  const { rows, next } = cutPage(newest, limit, ({ entry, rank, key }) => [entry.at, rank, key]);
  return { entries: rows.map(({ entry }) => entry), next };
}

type Position = readonly [at: number, rank: number, key: string];

/** A cursor whose key is none of its source starts at the beginning, like any invalid one. */
function readPosition(after: string | null | undefined): Position | undefined {
  const position = readCursor(after, ["number", "number", "text"]);
  if (!position) return undefined;
  const [, rank, key] = position;
  return sources[rank]?.hasTextKeys || /^\d{1,15}$/.test(key) ? position : undefined;
}

/** Entries with equal times are in the order of their sources. */
function positionInSource(rank: number, position: Position | undefined): SourcePage["before"] {
  if (!position) return undefined;
  const [at, last, key] = position;
  if (rank === last) return { at, key };
  return { at: rank < last ? at : at + 1, key: "" };
}
