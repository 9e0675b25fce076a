import type { Entry } from "./entry.ts";
import { lastCopies, newestOfEach } from "./last-copy.ts";

/** Where a browser keeps entries: one for each page (`writer`) and draft (`id`). */
export type Journal = {
  put(entry: Entry): Promise<void>;
  putNow(entry: Entry): void;
  remove(entry: Pick<Entry, "id" | "writer">): Promise<void>;
  entries(userId: string): Promise<Entry[]>;
};

const store = "drafts";

/** In IndexedDB, which takes a whole novel, doesn't block typing, and outlives a browser that is killed. */
export function openJournal(): Journal {
  const lasts = lastCopies(() => localStorage);
  let opened: Promise<IDBDatabase> | undefined;
  const open = () => {
    opened ??= openDatabase();
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  return {
    put: async (entry) => {
      await run(await open(), "readwrite", (entries) => entries.put(entry));
      lasts.remove(entry, entry.count);
    },
    putNow: (entry) => lasts.put(entry),
    remove: async ({ id, writer }) => {
      lasts.remove({ id, writer });
      await run(await open(), "readwrite", (entries) => entries.delete([id, writer]));
    },
    entries: async (userId) => {
      const found = await open()
        .then((database) => entriesOf(database, userId))
        .catch((): Entry[] => []);
      return newestOfEach([...found, ...lasts.entries(userId)]);
    },
  };
}

async function entriesOf(database: IDBDatabase, userId: string): Promise<Entry[]> {
  let found: Entry[] = [];
  await run(database, "readonly", (entries) => {
    const request = entries.index("userId").getAll(userId);
    request.onsuccess = () => {
      found = request.result as Entry[];
    };
  });
  return found;
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("inkstead", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(store, { keyPath: ["id", "writer"] }).createIndex("userId", "userId");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("the journal is blocked"));
  });
}

/** Done when the browser says that it is written, not when it was asked to. */
function run(database: IDBDatabase, mode: IDBTransactionMode, work: (entries: IDBObjectStore) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
    work(transaction.objectStore(store));
  });
}
