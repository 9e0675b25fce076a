import type { ShellFigures } from "#domain/pages/shell.server.ts";

type Parts = { count: () => Promise<ShellFigures>; send: (figures: ShellFigures) => void; failed: (err: unknown) => void };

export class UnreadCounter {
  readonly #parts: Parts;
  #isCounting = false;
  #isOutdated = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async count(): Promise<void> {
    this.#isOutdated = true;
    if (this.#isCounting) return;
    this.#isCounting = true;
    try {
      while (this.#isOutdated) {
        this.#isOutdated = false;
        this.#parts.send(await this.#parts.count());
      }
    } catch (err) {
      this.#parts.failed(err);
    } finally {
      this.#isCounting = false;
    }
  }
}
