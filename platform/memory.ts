export type MemoryLimits = { entries: number; bytes?: number };

type Entry<Value> = { value: Value; bytes: number };

/** Least recently used entries are evicted; a value larger than the limit isn't stored. */
export class BoundedMap<Key, Value> {
  readonly #limits: Required<MemoryLimits>;
  readonly #entries = new Map<Key, Entry<Value>>();
  #bytes = 0;

  constructor({ entries, bytes = Number.POSITIVE_INFINITY }: MemoryLimits) {
    this.#limits = { entries, bytes };
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value, bytes = 0): void {
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

/** Caches the promise while pending, too; a rejected one is removed. */
export function memoizePromise<Value>(
  memory: BoundedMap<string, Promise<Value>>,
  key: string,
  promise: Promise<Value>,
  bytesOf: (value: Value) => number,
): void {
  memory.set(key, promise, 2 * key.length);
  promise.then(
    (value) => memory.get(key) === promise && memory.set(key, promise, 2 * key.length + bytesOf(value)),
    () => memory.get(key) === promise && memory.delete(key),
  );
}
