import type { DraftSave } from "#domain/drafts/draft.ts";

/** What one page has typed and the server has not confirmed. `typedAt` in milliseconds, by this browser's clock. */
export type JournalEntry = DraftSave & { typedAt: number };

type Key = Pick<JournalEntry, "id" | "writer">;

/** The entries of this browser: one for each page (`writer`) and draft (`id`). */
export type Journal = {
  put(entry: JournalEntry): Promise<void>;
  /** For a page that is being closed: written when this returns, if there is room. */
  putSync(entry: JournalEntry): void;
  remove(key: Key): Promise<void>;
  entries(userId: string): Promise<JournalEntry[]>;
};

const store = "drafts";

/** In IndexedDB, which holds a whole novel, doesn't block typing, and survives a browser that is killed. */
export function openJournal(): Journal {
  const lastCopies = openLastCopies(() => localStorage);
  let opened: Promise<IDBDatabase> | undefined;
  const forget = () => {
    opened = undefined;
  };
  const open = () => {
    opened ??= openDatabase(forget);
    opened.catch(forget);
    return opened;
  };
  return {
    put: async (entry) => {
      await run(await open(), "readwrite", (entries) => entries.put(entry));
      lastCopies.remove(entry, entry.count);
    },
    putSync: (entry) => lastCopies.put(entry),
    remove: async ({ id, writer }) => {
      lastCopies.remove({ id, writer });
      await run(await open(), "readwrite", (entries) => entries.delete([id, writer]));
    },
    entries: async (userId) => {
      const found = await open()
        .then((database) => entriesOf(database, userId))
        .catch((): JournalEntry[] => []);
      return newestOfEach([...found, ...lastCopies.entries(userId)]);
    },
  };
}

async function entriesOf(database: IDBDatabase, userId: string): Promise<JournalEntry[]> {
  let found: JournalEntry[] = [];
  await run(database, "readonly", (entries) => {
    const request = entries.index("userId").getAll(userId);
    request.onsuccess = () => {
      found = request.result as JournalEntry[];
    };
  });
  return found;
}

/** `onClose`: the browser closed the connection, as Safari does with pages in the background, or the site's data was cleared. */
function openDatabase(onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("inkstead", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(store, { keyPath: ["id", "writer"] }).createIndex("userId", "userId");
    };
    request.onsuccess = () => {
      request.result.onclose = onClose;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("the journal is blocked"));
  });
}

/** Resolves when the transaction is complete, not when the request is. */
function run(database: IDBDatabase, mode: IDBTransactionMode, work: (entries: IDBObjectStore) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
    work(transaction.objectStore(store));
  });
}

type LastCopies = {
  put(entry: JournalEntry): void;
  /** `upTo`: only a copy of this many changes or fewer. */
  remove(key: Key, upTo?: number): void;
  entries(userId: string): JournalEntry[];
};

const prefix = "inkstead-draft:";
const nameOf = ({ id, writer }: Key) => `${prefix}${id}:${writer}`;

/**
 * Written when a page is closed, because IndexedDB may not finish then. In localStorage, which writes at once and has room for five million
 * characters of the whole site.
 */
export function openLastCopies(storage: () => Storage): LastCopies {
  return {
    put: (entry) => attempt(() => storage().setItem(nameOf(entry), JSON.stringify(entry))),
    remove: (key, upTo = Number.POSITIVE_INFINITY) =>
      attempt(() => {
        const text = storage().getItem(nameOf(key));
        if (text !== null && (JSON.parse(text) as JournalEntry).count <= upTo) storage().removeItem(nameOf(key));
      }),
    entries: (userId) => {
      const found: JournalEntry[] = [];
      attempt(() => {
        for (const [name, text] of Object.entries({ ...storage() }))
          if (name.startsWith(prefix)) found.push(JSON.parse(text) as JournalEntry);
      });
      return found.filter((entry) => entry.userId === userId);
    },
  };
}

type OpenPage = {
  id: string;
  userId: string;
  writer: string;
  /** Includes entries of other new stories that were typed after this time. */
  newSince: number | null;
};

/** Entries that other pages wrote for this page's draft, newest first. */
export async function entriesOfOtherPages(journal: Journal, { id, userId, writer, newSince }: OpenPage): Promise<JournalEntry[]> {
  const entries = await journal.entries(userId).catch(() => []);
  const isWanted = (entry: JournalEntry) => {
    const isNewer = newSince !== null && entry.postId === null && entry.typedAt > newSince;
    return entry.writer !== writer && (entry.id === id || isNewer);
  };
  return entries.filter(isWanted).sort((one, other) => other.typedAt - one.typedAt);
}

export function newestOfEach(entries: JournalEntry[]): JournalEntry[] {
  const newest = new Map<string, JournalEntry>();
  for (const entry of entries) {
    const other = newest.get(nameOf(entry));
    if (!other || other.count < entry.count) newest.set(nameOf(entry), entry);
  }
  return [...newest.values()];
}

/** Storage can be full, switched off or edited by hand. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}

type Page = {
  entry(): JournalEntry;
  count(): number;
  isNeeded(): boolean;
  wrote(failed: boolean): void;
};

const charactersPerMillisecond = 1_000;

/** Writes each change of a page into the journal, one write at a time; changes made meanwhile are in the next one. */
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
    // Between two writes of a long text, keys must get their turn.
    await new Promise((resolve) => setTimeout(resolve, entry.draft.content.length / charactersPerMillisecond));
    this.#writing = false;
    if (!this.#page.isNeeded()) void this.forget();
    else if (this.#page.count() > entry.count) this.write();
  }

  /** Runs after a write that is under way: IndexedDB keeps the order of requests. */
  forget(): Promise<void> {
    return this.#journal.remove(this.#page.entry()).catch(() => {});
  }
}

/**
 * Tells which pages of this browser are open: each holds a Web Lock with its name, which the browser releases when the page is closed,
 * crashes or is killed.
 */
export type Claims = {
  claim(writer: string): Promise<boolean>;
  release(writer: string): void;
  /** False without Web Locks: then no page takes another's name. */
  isSupported: boolean;
};

/** Milliseconds. A page that is being closed releases its lock a moment later, on a busy machine seconds later. */
export const claimTimeoutMs = 8_000;

export function webLocks(): Claims {
  // Only on https and localhost.
  const locks = typeof navigator === "undefined" ? undefined : (navigator.locks as LockManager | undefined);
  const held = new Map<string, () => void>();
  return {
    isSupported: locks !== undefined,
    async claim(writer) {
      if (!locks) return false;
      if (held.has(writer)) return true;
      return new Promise((resolve) => {
        const timeout = AbortSignal.timeout(claimTimeoutMs);
        locks
          .request(`inkstead-draft:${writer}`, { signal: timeout }, () => {
            resolve(true);
            return new Promise<void>((release) => held.set(writer, release));
          })
          .catch(() => resolve(false));
      });
    },
    release(writer) {
      held.get(writer)?.();
      held.delete(writer);
    },
  };
}
