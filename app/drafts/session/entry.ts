import type { DraftSave } from "#domain/drafts/draft.ts";

/** What one page has typed and the server has not confirmed. `typedAt` in milliseconds, by this browser's clock. */
export type Entry = DraftSave & { typedAt: number };
