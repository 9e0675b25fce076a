import { type Draft, type DraftSave, isBlank, isSameDraft, type OtherVersion } from "#domain/drafts/draft.ts";
import type { Claims, Journal, JournalEntry } from "./journal.ts";
import type { SendSave } from "./save-loop.ts";

export type ServerCopy = Draft & { revision: number; writer: string };

export type CopyOnServer = { kind: "found"; copy: ServerCopy } | { kind: "none" } | { kind: "unknown" };

export type RecoveryTools = { journal: Journal; claims: Claims; send: SendSave };

export type DraftEnvironment = RecoveryTools & {
  /** Tells the browser's other pages of a save. */
  announce: (saved: DraftSave & { revision: number }) => void;
  /** Runs work when the key that was just pressed is on the screen. */
  afterPaint: (work: () => void) => void;
  now: () => number;
};

type Page = {
  id: string;
  /** The server's copy of this page's draft. */
  copy: ServerCopy | null;
  draft(): Draft;
  /** Nothing was typed since the page was opened, so an entry may replace its text. */
  isUntouched(): boolean;
  adopt(entry: JournalEntry, copy: CopyOnServer): void;
};

/** Recovers the entries of pages that are closed: the page shows the newest, all others become drafts of their own. */
export async function recoverEntries(entries: JournalEntry[], page: Page, tools: RecoveryTools): Promise<void> {
  await Promise.all(
    entries.map(async (found, index) => {
      const entry = tools.claims.isSupported ? await claimEntry(found, tools) : found;
      if (!entry) return;
      if (index === 0 && page.isUntouched()) page.adopt(entry, copyOnServer(entry, page));
      else await saveAsSeparateDraft(entry, page.draft(), tools);
    }),
  );
}

/** The entry as its page left it. Undefined if that page stays open, or saved its text while this one waited for it to close. */
export async function claimEntry(
  { id, userId, writer }: JournalEntry,
  { journal, claims }: RecoveryTools,
): Promise<JournalEntry | undefined> {
  if (!(await claims.claim(writer))) return undefined;
  const entries = await journal.entries(userId).catch((): JournalEntry[] => []);
  const left = entries.find((entry) => entry.id === id && entry.writer === writer);
  if (!left) claims.release(writer);
  return left;
}

function copyOnServer(entry: JournalEntry, { id, copy }: Page): CopyOnServer {
  if (entry.id !== id) return { kind: "unknown" };
  return copy ? { kind: "found", copy } : { kind: "none" };
}

async function saveAsSeparateDraft(entry: JournalEntry, shown: Draft, tools: RecoveryTools): Promise<void> {
  if (isSameDraft(entry.draft, shown, false) || isBlank(entry.draft)) await tools.journal.remove(entry).catch(() => {});
  else await fork(entry, tools);
  tools.claims.release(entry.writer);
}

/** Saves an entry as a new draft. Returns whether that worked; if not, it stays in the journal. */
export async function fork(entry: JournalEntry, { send, journal }: Pick<RecoveryTools, "send" | "journal">): Promise<boolean> {
  const result = await send(asNewDraft(entry), new AbortController().signal);
  if (result.kind === "saved") await journal.remove(entry).catch(() => {});
  return result.kind === "saved";
}

/** Its id is the same for the same entry: a try whose answer was lost leaves no second draft. */
export function asNewDraft<Save extends Pick<JournalEntry, "id" | "base" | "writer" | "count" | "postId" | "postVersion">>(
  save: Save,
): Save {
  const id = save.writer.slice(0, 16) + save.count.toString(16).padStart(8, "0");
  return { ...save, id, base: null, postId: null, postVersion: null };
}

/** The upload of a picture may end after its form was sent. */
export function isSameText(one: Draft, other: Draft | undefined): boolean {
  return other !== undefined && isSameDraft(one, { ...other, featuredImage: one.featuredImage });
}

/** Whether saving the entry replaces nothing that its writer hasn't seen. */
export function isBasedOn(entry: JournalEntry, copy: CopyOnServer): boolean {
  if (copy.kind === "unknown") return true;
  if (copy.kind === "none") return entry.base === null;
  return copy.copy.revision === entry.base || copy.copy.writer === entry.writer;
}

export function otherVersionOf(onServer: CopyOnServer): OtherVersion | null {
  if (onServer.kind !== "found") return null;
  return { ...onServer.copy, kind: "draft", number: onServer.copy.revision, by: null };
}
