export class Concurrent {
  readonly #counts = new Map<string, number>();

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  enter(key: string, most: number): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0;
    if (count >= most) return undefined;
    this.#counts.set(key, count + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }
}
