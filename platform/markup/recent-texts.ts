export class RecentTexts<Made> {
  readonly #most: number;
  readonly #entries = new Map<string, { made: Promise<Made>; size: number }>();
  #size = 0;

  /** `most`: characters that the texts, and what was made of them, may have together. */
  constructor(most: number) {
    this.#most = most;
  }

  get(text: string): Promise<Made> | undefined {
    const entry = this.#entries.get(text);
    if (!entry) return undefined;
    this.#entries.delete(text);
    this.#entries.set(text, entry);
    return entry.made;
  }

  has(text: string): boolean {
    return this.#entries.has(text);
  }

  keep(text: string, made: Promise<Made>, sizeOf: (made: Made) => number): void {
    const entry = { made, size: 0 };
    this.#entries.set(text, entry);
    this.#grow(text, entry, text.length);
    made.then(
      (done) => this.#grow(text, entry, sizeOf(done)),
      () => this.#forget(text, entry),
    );
  }

  #grow(text: string, entry: { size: number }, by: number): void {
    if (this.#entries.get(text) !== entry) return;
    entry.size += by;
    this.#size += by;
    for (const [oldest, { size }] of this.#entries) {
      if (this.#size <= this.#most) break;
      this.#entries.delete(oldest);
      this.#size -= size;
    }
  }

  #forget(text: string, entry: { size: number }): void {
    if (this.#entries.get(text) !== entry) return;
    this.#entries.delete(text);
    this.#size -= entry.size;
  }
}
