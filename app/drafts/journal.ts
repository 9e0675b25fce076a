import type { DraftSave } from "#domain/drafts/draft.ts";

/** What one page has typed and the server has not confirmed. `typedAt` in milliseconds, by this browser's clock. */
export type Entry = DraftSave & { typedAt: number };

/** Where a browser keeps entries: one for each page (`writer`) and draft (`id`). */
export type Journal = {
  put(entry: Entry): Promise<void>;
  remove(entry: Pick<Entry, "id" | "writer">): Promise<void>;
  entries(userId: string): Promise<Entry[]>;
};

const store = "drafts";

/** In IndexedDB, which takes a whole novel, doesn't block typing, and outlives a browser that is killed. */
export function openJournal(): Journal {
  let opened: Promise<IDBDatabase> | undefined;
  const open = () => {
    opened ??= openDatabase();
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  return {
    put: async (entry) => run(await open(), "readwrite", (entries) => entries.put(entry)),
    remove: async ({ id, writer }) => run(await open(), "readwrite", (entries) => entries.delete([id, writer])),
    entries: async (userId) => {
      let found: Entry[] = [];
      await run(await open(), "readonly", (entries) => {
        const request = entries.index("userId").getAll(userId);
        request.onsuccess = () => {
          found = request.result as Entry[];
        };
      });
      return found;
    },
  };
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
