export type MemoryLimits = { entries: number; bytes: number };

type Entry<Value> = { value: Value; bytes: number };

/** A Map with limits. What was neither set nor read for the longest time makes room; what is larger than all of it is not kept. */
export class Bounded<Key, Value> {
  readonly #limits: MemoryLimits;
  readonly #entries = new Map<Key, Entry<Value>>();
  #bytes = 0;

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value, bytes: number): void {
    this.delete(key);
    if (bytes > this.#limits.bytes) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
