import { megabyte } from "#platform/bytes.ts";
import { BoundedMap } from "#platform/memory.ts";
import { Batcher } from "#platform/queues/batcher.ts";
import { Budget } from "#platform/queues/budget.ts";
import { FairQueue } from "#platform/queues/fair-queue.ts";
import { hours, minutes } from "#platform/time.ts";
import type { UnreadCounts } from "./live.ts";
import type { CheckedMessage, Message, SentMessage } from "./messages/message.ts";

const maxVersioned = { entries: 100_000, bytes: 16 * megabyte };
const maxSharedPages = { entries: 2_000, bytes: 16 * megabyte };
const maxPages = { entries: 2_000, bytes: 16 * megabyte };

/** Rows, counted to one more than allowed, and bytes by column. */
export type CollectionSize = { rows: number; bytes: Map<string, number> };

/** `readAt`: when the client read last, in milliseconds since 1970. */
export type ExportRun = { readAt: number; cancel(): void };

export type SiteMemory = ReturnType<typeof openMemory>;

export function openMemory({ now, maxLists }: { now: () => number; maxLists: number }) {
  return {
    /** `platform/database/version.ts`: API responses, sessions. */
    versionedCache: new BoundedMap<string, { version: string; value: unknown }>(maxVersioned),
    /** `server/pages/page-cache.ts`. */
    pageCache: new BoundedMap<string, unknown>(maxPages),
    /** Pages for members: `app/shared-pages.server.tsx`. */
    sharedPages: new BoundedMap<string, unknown>(maxSharedPages),
    /** Visitors' pages: from the cache, and rendered. */
    pageCacheHits: { hit: 0, miss: 0 },
    cachedMessages: new BoundedMap<string, { message: Message; until: number }>({ entries: 5_000, bytes: 4 * 1024 * 1024 }),
    /** Messages that are saved in one transaction. Under load a pause makes fewer and larger ones. */
    sends: new Batcher<CheckedMessage, SentMessage>({ max: 256, pauseMs: 5 }),
    /** Members whose unread messages and notifications are to be counted. */
    unreadCounts: new Batcher<string, UnreadCounts>({ max: 500, pauseMs: 0 }),
    messageBudget: new Budget(minutes(1), now),
    pictureFetchBudget: new Budget(hours(1), now),
    /** Megapixels per member or network. */
    previewBudget: new Budget(minutes(10), now),
    variants: new Map<string, Promise<Buffer>>(),
    /** Default footer pages, by their Markdown. */
    defaultPages: new BoundedMap<string, Promise<string>>({ entries: 100 }),
    collectionSizes: new BoundedMap<string, { size: CollectionSize; until: number }>({ entries: 1_000 }),
    listQueue: new FairQueue({ slots: maxLists, maxRunningPerKey: maxLists, maxWaiting: 200, maxWaitingPerKey: 200 }),
    sendingPushesTo: new Set<string>(),
    pushQueue: new FairQueue({ slots: 10, maxWaiting: 1_000, maxWaitingPerKey: 1 }),
    backupRuns: new Set<AbortController>(),
    /** One per member. */
    exports: new Map<string, ExportRun>(),
    nextRateLimitSweep: 0,
  };
}
