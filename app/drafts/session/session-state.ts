import type { OtherVersion } from "#domain/drafts/draft.ts";

/** What the screen shows of a draft session. Without the text, so that typing renders nothing. */
export type SessionState = {
  unsaved: boolean;
  /** Why the last save failed. */
  trouble: "unreachable" | "signed-out" | "someone-else" | "refused" | null;
  reason: string;
  /** The server has a working copy. */
  kept: boolean;
  /** The journal can't be written. */
  journalFails: boolean;
  /** The text was changed elsewhere; `theirs` is null if it was published or discarded there. */
  conflict: { theirs: OtherVersion | null } | null;
  restored: boolean;
  /** Counts the times that the text was replaced: a key for the fields. */
  generation: number;
  id: string;
};

export class StateStore {
  current: SessionState;
  readonly #listeners = new Set<() => void>();

  constructor(id: string, kept: boolean) {
    this.current = {
      ...{ id, kept, unsaved: false, trouble: null, reason: "", journalFails: false },
      ...{ conflict: null, restored: false, generation: 0 },
    };
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  set(part: Partial<SessionState>): void {
    const entries = Object.entries(part) as [keyof SessionState, unknown][];
    if (entries.every(([name, value]) => this.current[name] === value)) return;
    this.current = { ...this.current, ...part };
    this.render();
  }

  setUnsaved(): void {
    if (!this.current.unsaved) this.current = { ...this.current, unsaved: true };
  }

  render(): void {
    for (const listener of this.#listeners) listener();
  }
}
