import type { Entry } from "./entry.ts";
import type { Journal } from "./journal.ts";

type Page = {
  entry(): Entry;
  count(): number;
  isNeeded(): boolean;
  wrote(failed: boolean): void;
};

const charactersPerMillisecond = 1_000;

/** Brings each change of a page into the journal at once: one write at a time, what came meanwhile is the next. */
export class JournalWriter {
  readonly #journal: Journal;
  readonly #page: Page;
  #writing = false;

  constructor(journal: Journal, page: Page) {
    this.#journal = journal;
    this.#page = page;
  }

  write(): void {
    if (!this.#writing && this.#page.isNeeded()) void this.#write();
  }

  async #write(): Promise<void> {
    this.#writing = true;
    const entry = this.#page.entry();
    const failed = await this.#journal.put(entry).then(
      () => false,
      () => true,
    );
    this.#page.wrote(failed);
    // Between two writes of a long text is a moment for its keys.
    await new Promise((resolve) => setTimeout(resolve, entry.draft.content.length / charactersPerMillisecond));
    this.#writing = false;
    if (!this.#page.isNeeded()) void this.forget();
    else if (this.#page.count() > entry.count) this.write();
  }

  /** Comes after the write that is on its way: IndexedDB keeps the order in which it was asked. */
  forget(): Promise<void> {
    return this.#journal.remove(this.#page.entry()).catch(() => {});
  }
}
