import type { OtherVersion } from "#domain/drafts/draft.ts";

/** What the screen shows of a draft session; the text itself is not in it, so that typing renders nothing. */
export type SessionState = {
  unsaved: boolean;
  /** Why it hasn't, when it isn't just the moment that it takes. */
  trouble: "unreachable" | "signed-out" | "someone-else" | "refused" | null;
  reason: string;
  kept: boolean;
  /** This browser can't keep it either. */
  journalFails: boolean;
  /** The text was changed elsewhere; null inside means that it was published or discarded there. */
  conflict: { theirs: OtherVersion | null } | null;
  restored: boolean;
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
