import type { DraftSave } from "#domain/drafts/draft.ts";
import type { Claims } from "./alive.ts";
import type { Journal } from "./journal.ts";
import type { SendSave } from "./send-save.ts";

/** What a draft's session needs of the browser and the server. */
export type DraftEnvironment = {
  journal: Journal;
  claims: Claims;
  send: SendSave;
  /** Shares a save with the browser's other pages. */
  announce: (saved: DraftSave & { revision: number }) => void;
  /** Does what may wait until the key that was just pressed is on the screen. */
  afterPaint: (work: () => void) => void;
  now: () => number;
};
