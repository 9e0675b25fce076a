import { vi } from "vitest";
import { DraftSession } from "#app/drafts/session/draft-session.ts";
import { type Claims, claimTimeoutMs, type Journal, type JournalEntry } from "#app/drafts/session/journal.ts";
import type { DraftEnvironment, RecoveryTools } from "#app/drafts/session/recovery.ts";
import type { SaveResponse } from "#app/drafts/session/save-loop.ts";
import { type Draft, type DraftSave, emptyDraft } from "#domain/drafts/draft.ts";

export const draftOf = (content: string): Draft => ({ ...emptyDraft, title: "T", slug: "t", content });

/** A browser with pages that write one draft, its storage, requests and answers. */
export class DraftBrowser {
  readonly id = "aaaaaaaaaaaaaaaaaaaaaaaa";
  readonly #entries = new Map<string, JournalEntry>();
  readonly #held = new Set<string>();
  #revision = 100;
  sent: DraftSave[] = [];
  answer: (save: DraftSave) => SaveResponse | Promise<SaveResponse> = () => ({
    kind: "saved",
    revision: ++this.#revision,
    featuredImage: null,
  });
  journalFails = false;

  readonly journal: Journal = {
    put: async (entry) => {
      if (this.journalFails) throw new Error("no room");
      this.#entries.set(`${entry.id} ${entry.writer}`, structuredClone(entry));
    },
    putSync: (entry) => void this.#entries.set(`${entry.id} ${entry.writer}`, structuredClone(entry)),
    remove: async (entry) => {
      this.#entries.delete(`${entry.id} ${entry.writer}`);
    },
    entries: async (userId) => [...this.#entries.values()].filter((entry) => entry.userId === userId),
  };

  /** Of one page, whose locks are the writers in `mine`. A lock is waited for, as with Web Locks. */
  tools(mine = new Set<string>()): RecoveryTools {
    const claims: Claims = {
      isSupported: true,
      claim: async (writer) => {
        const end = Date.now() + claimTimeoutMs;
        while (this.#held.has(writer) && !mine.has(writer)) {
          if (Date.now() >= end) return false;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        this.#held.add(writer);
        mine.add(writer);
        return true;
      },
      release: (writer) => {
        if (mine.delete(writer)) this.#held.delete(writer);
      },
    };
    const send = async (save: DraftSave) => {
      this.sent.push(structuredClone(save));
      return this.answer(save);
    };
    return { journal: this.journal, claims, send };
  }

  /** `die` simulates a closed or crashed page. */
  page(chosen: Partial<DraftEnvironment> = {}, draft = emptyDraft, base: number | null = null) {
    const mine = new Set<string>();
    const surroundings = {
      ...this.tools(mine),
      ...{ announce: vi.fn(), afterPaint: (work: () => void) => work(), now: () => Date.now() },
      ...chosen,
    };
    const session = new DraftSession({ id: this.id, userId: "maren", postId: null, postVersion: null, base, draft }, surroundings);
    const die = () => {
      void session.pause();
      for (const writer of mine) this.#held.delete(writer);
    };
    return { session, die };
  }

  /** Texts that are stored here and not on the server. */
  contents(): string[] {
    return [...this.#entries.values()].map(({ draft }) => draft.content);
  }
}

export const begin = async (
  session: DraftSession,
  copy: (Draft & { revision: number; writer: string }) | null = null,
  continuesLatest = true,
) => {
  await session.start({ copy, continuesLatest, since: 0 });
};
