import { cutPage, readCursor } from "#platform/database/keyset.ts";
import { kindNames, type NotificationKind } from "../notifications/kinds.ts";
import { readPreferences } from "../notifications/preferences.server.ts";
import { requirePermission } from "../permissions.ts";
import type { Member, Site, Viewer } from "../site.ts";
import type { Entry } from "./entry.ts";
import type { SourcePage } from "./source.server.ts";
import { sources } from "./sources.server.ts";

/** `next` is the cursor of the following page, null on the last one. */
export type EntryPage = { entries: Entry[]; next: string | null };

type Request = { kind?: NotificationKind | undefined; onlyUnread?: boolean; after?: string | null; limit: number };

/** What a member is told on the site, newest first. */
export async function listNotifications(site: Site, viewer: Viewer, { kind, ...request }: Request): Promise<EntryPage> {
  requirePermission(viewer, "see own notifications", viewer?.id);
  const preferences: Partial<Record<NotificationKind, { onSite: boolean }>> = await readPreferences(site, viewer.id);
  const shown = kindNames.filter((each) => preferences[each]?.onSite !== false);
  return readEntries(site, viewer, { ...request, kinds: kind ? shown.filter((each) => each === kind) : shown });
}

type EntryQuery = Omit<Request, "kind"> & { kinds: NotificationKind[] };

/** Of these kinds, whatever the member chose to see on the site: each source gives as many as a page holds, and the newest of all make it. */
export async function readEntries(site: Site, viewer: Member, { kinds, onlyUnread = false, after, limit }: EntryQuery): Promise<EntryPage> {
  const place = readCursor(after, ["number", "number", "text"]);
  const found = await Promise.all(
    sources.map(async ({ kinds: own, read }, rank) => {
      const asked = own.filter((kind) => kinds.includes(kind));
      if (asked.length === 0) return [];
      const page = { kinds: asked, onlyUnread, before: positionInSource(rank, place), limit: limit + 1 };
      return (await read(site, viewer, page)).map((placed) => ({ ...placed, rank }));
    }),
  );
  const newest = found
    .flat()
    .map((placed, index) => ({ ...placed, index }))
    .sort((a, b) => b.entry.at - a.entry.at || a.rank - b.rank || a.index - b.index)
    .slice(0, limit + 1);
  const { rows, next } = cutPage(newest, limit, ({ entry, rank, key }) => [entry.at, rank, key]);
  return { entries: rows.map(({ entry }) => entry), next };
}

/** At the same time the sources come in their order: those before it have had all of that time, those after it none. */
function positionInSource(rank: number, place: readonly [at: number, rank: number, key: string] | undefined): SourcePage["before"] {
  if (!place) return undefined;
  const [at, last, key] = place;
  if (rank === last) return { at, key };
  return { at: rank < last ? at : at + 1, key: "" };
}
