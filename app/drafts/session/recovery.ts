import { type Draft, isBlank, newCopyId, type OtherVersion, sameDraft } from "#domain/drafts/draft.ts";
import { type Entry, type Journal, openJournal } from "./journal.ts";
import { type SendSave, sendSave } from "./save-loop.ts";

/**
 * Tells which pages of this browser are open: each holds a Web Lock with its name, which the browser releases when the page is closed,
 * crashes or is killed.
 */
export type Claims = {
  claim(writer: string): Promise<boolean>;
  release(writer: string): void;
  /** False without Web Locks: then no page takes another's name. */
  canTell: boolean;
};

/** Milliseconds. A page that is being closed releases its lock a moment later, on a busy machine seconds later. */
const claimTimeoutMs = 8_000;

export function webLocks(): Claims {
  // Only on https and localhost.
  const locks = typeof navigator === "undefined" ? undefined : (navigator.locks as LockManager | undefined);
  const held = new Map<string, () => void>();
  return {
    canTell: locks !== undefined,
    async claim(writer) {
      if (!locks) return false;
      if (held.has(writer)) return true;
      return new Promise((answer) => {
        const timeout = AbortSignal.timeout(claimTimeoutMs);
        locks
          .request(`inkstead-draft:${writer}`, { signal: timeout }, () => {
            answer(true);
            return new Promise<void>((release) => held.set(writer, release));
          })
          .catch(() => answer(false));
      });
    },
    release(writer) {
      held.get(writer)?.();
      held.delete(writer);
    },
  };
}

export type ServerCopy = Draft & { revision: number; writer: string };

export type CopyOnServer = { kind: "found"; copy: ServerCopy } | { kind: "none" } | { kind: "unknown" };

export type RecoveryTools = { journal: Journal; claims: Claims; send: SendSave };

type Page = {
  id: string;
  userId: string;
  writer: string;
  /** The server's copy of this page's draft. */
  copy: ServerCopy | null;
  /** Entries of any new story that were typed after this time are recovered too. */
  newSince: number | null;
  draft(): Draft;
  /** Nothing was typed since the page was opened, so an entry may replace its text. */
  isUntouched(): boolean;
  adopt(entry: Entry, copy: CopyOnServer): void;
};

/** Recovers what closed pages left in the journal: the newest entry is shown by the page, all others become drafts of their own. */
export async function recoverEntries(page: Page, tools: RecoveryTools): Promise<void> {
  const entries = await entriesLeftBehind(page, tools.journal);
  await Promise.all(
    entries.map(async (entry, index) => {
      if (tools.claims.canTell && !(await tools.claims.claim(entry.writer))) return;
      if (index === 0 && page.isUntouched()) page.adopt(entry, copyOnServer(entry, page));
      else await saveAsSeparateDraft(entry, page.draft(), tools);
    }),
  );
}

/** Newest first. */
async function entriesLeftBehind({ id, userId, writer, newSince }: Page, journal: Journal): Promise<Entry[]> {
  const entries = await journal.entries(userId).catch(() => []);
  const isWanted = (entry: Entry) => {
    const isNewer = newSince !== null && entry.postId === null && entry.typedAt > newSince;
    return entry.writer !== writer && (entry.id === id || isNewer);
  };
  return entries.filter(isWanted).sort((one, other) => other.typedAt - one.typedAt);
}

function copyOnServer(entry: Entry, { id, copy }: Page): CopyOnServer {
  if (entry.id !== id) return { kind: "unknown" };
  return copy ? { kind: "found", copy } : { kind: "none" };
}

async function saveAsSeparateDraft(entry: Entry, shown: Draft, tools: RecoveryTools): Promise<void> {
  if (sameDraft(entry.draft, shown, false) || isBlank(entry.draft)) await tools.journal.remove(entry).catch(() => {});
  else await fork(entry, tools);
  tools.claims.release(entry.writer);
}

/** Saves an entry as a new draft. Returns whether that worked; if not, it stays in the journal. */
export async function fork(entry: Entry, { send, journal }: Pick<RecoveryTools, "send" | "journal">): Promise<boolean> {
  const answer = await send(asNewDraft(entry), new AbortController().signal);
  if (answer.kind === "saved") await journal.remove(entry).catch(() => {});
  return answer.kind === "saved";
}

function asNewDraft<Save extends Pick<Entry, "id" | "base" | "postId" | "postVersion">>(save: Save): Save {
  return { ...save, id: newCopyId(), base: null, postId: null, postVersion: null };
}

/** Whether saving the entry replaces nothing that its writer hasn't seen. */
export function isBuiltUpon(entry: Entry, copy: CopyOnServer): boolean {
  if (copy.kind === "unknown") return true;
  if (copy.kind === "none") return entry.base === null;
  return copy.copy.revision === entry.base || copy.copy.writer === entry.writer;
}

export function theirsOf(onServer: CopyOnServer): OtherVersion | null {
  if (onServer.kind !== "found") return null;
  return { ...onServer.copy, kind: "draft", number: onServer.copy.revision, by: null };
}

/** Saves what closed pages of this browser left behind. Returns how many entries. */
export async function saveLeftEntries(userId: string): Promise<number> {
  const [journal, claims] = [openJournal(), webLocks()];
  const entries = await journal.entries(userId).catch(() => []);
  const never = new AbortController().signal;
  let saved = 0;
  for (const entry of entries) {
    if (!(await claims.claim(entry.writer))) continue;
    const { typedAt: _typedAt, ...save } = entry;
    let answer = await sendSave(save, never);
    if (answer.kind === "changed" && !isBlank(save.draft)) answer = await sendSave(asNewDraft(save), never);
    if (answer.kind === "saved") {
      saved++;
      await journal.remove(entry).catch(() => {});
    }
    claims.release(entry.writer);
  }
  return saved;
}
