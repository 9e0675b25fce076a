import { type Draft, isBlank, newCopyId, type OtherVersion, sameDraft } from "#domain/drafts/draft.ts";
import type { Claims } from "./alive.ts";
import type { Entry } from "./entry.ts";
import type { Journal } from "./journal.ts";
import type { SendSave } from "./send-save.ts";

export type ServerCopy = Draft & { revision: number; writer: string };

export type CopyOnServer = { kind: "found"; copy: ServerCopy } | { kind: "none" } | { kind: "unknown" };

type Tools = { journal: Journal; claims: Claims; send: SendSave };

type Page = {
  writer: string;
  draft(): Draft;
  /** Whether the page is still as it was opened, so that a text may come back into it. */
  isUntouched(): boolean;
  adopt(entry: Entry, copy: CopyOnServer): void;
};

export async function entriesLeftBehind(
  journal: Journal,
  { id, userId, writer, newSince }: { id: string; userId: string; writer: string; newSince: number | null },
): Promise<Entry[]> {
  const entries = await journal.entries(userId).catch(() => []);
  const isWanted = (entry: Entry) => {
    const isNewer = newSince !== null && entry.postId === null && entry.typedAt > newSince;
    return entry.writer !== writer && (entry.id === id || isNewer);
  };
  return entries.filter(isWanted).sort((one, other) => other.typedAt - one.typedAt);
}

export async function adoptEntries(entries: Entry[], page: Page, tools: Tools, copyOf: (entry: Entry) => CopyOnServer): Promise<void> {
  await Promise.all(
    entries.map(async (entry, index) => {
      if (tools.claims.canTell && !(await tools.claims.claim(entry.writer))) return;
      if (index === 0 && page.isUntouched()) page.adopt(entry, copyOf(entry));
      else await saveAsSeparateDraft(entry, page.draft(), tools);
    }),
  );
}

async function saveAsSeparateDraft(entry: Entry, shown: Draft, tools: Tools): Promise<void> {
  if (sameDraft(entry.draft, shown, false) || isBlank(entry.draft)) await tools.journal.remove(entry).catch(() => {});
  else await fork(entry, tools);
  tools.claims.release(entry.writer);
}

export async function fork(entry: Entry, { send, journal }: Pick<Tools, "send" | "journal">): Promise<boolean> {
  const apart = { ...entry, id: newCopyId(), base: null, postId: null, postVersion: null };
  const answer = await send(apart, new AbortController().signal);
  if (answer.kind === "saved") await journal.remove(entry).catch(() => {});
  return answer.kind === "saved";
}

/** Whether an entry was typed on top of what the server has, so that nobody's text would be replaced. */
export function isBuiltUpon(entry: Entry, copy: CopyOnServer): boolean {
  if (copy.kind === "unknown") return true;
  if (copy.kind === "none") return entry.base === null;
  return copy.copy.revision === entry.base || copy.copy.writer === entry.writer;
}

/** What a comparison shows of the server’s copy. */
export function theirsOf(onServer: CopyOnServer): OtherVersion | null {
  if (onServer.kind !== "found") return null;
  return { ...onServer.copy, kind: "draft", number: onServer.copy.revision, by: null };
}
