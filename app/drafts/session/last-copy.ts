import type { Entry } from "./entry.ts";

type Key = Pick<Entry, "id" | "writer">;

/** The copy that a page makes in the instant before it goes away, when IndexedDB may not finish a write any more. */
export type LastCopies = {
  /** Written when this returns, if the browser has room for it. */
  put(entry: Entry): void;
  remove(key: Key, upTo?: number): void;
  entries(userId: string): Entry[];
};

const prefix = "inkstead-draft:";
const nameOf = ({ id, writer }: Key) => `${prefix}${id}:${writer}`;

/** In localStorage, whose writes are done when they return; five million characters at most, for the whole site. */
export function lastCopies(storage: () => Storage): LastCopies {
  return {
    put: (entry) => attempt(() => storage().setItem(nameOf(entry), JSON.stringify(entry))),
    remove: (key, upTo = Number.POSITIVE_INFINITY) =>
      attempt(() => {
        const text = storage().getItem(nameOf(key));
        if (text !== null && (JSON.parse(text) as Entry).count <= upTo) storage().removeItem(nameOf(key));
      }),
    entries: (userId) => {
      const found: Entry[] = [];
      attempt(() => {
        for (const [name, text] of Object.entries({ ...storage() })) if (name.startsWith(prefix)) found.push(JSON.parse(text) as Entry);
      });
      return found.filter((entry) => entry.userId === userId);
    },
  };
}

export function newestOfEach(entries: Entry[]): Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    const other = newest.get(nameOf(entry));
    if (!other || other.count < entry.count) newest.set(nameOf(entry), entry);
  }
  return [...newest.values()];
}

/** Storage can be full, switched off or edited by hand; then there is no copy, and nothing else suffers. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
