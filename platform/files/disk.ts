import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkKey, type FileStore } from "./file-store.ts";

export function diskStore(root: string): FileStore {
  const pathOf = (key: string) => join(root, checkKey(key));
  const store: FileStore = {
    // Written to another name, synced and renamed: a crash leaves no partial file.
    async put(key, bytes) {
      const path = pathOf(key);
      const partial = `${path}.${randomUUID()}.partial`;
      const created = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await writeThrough(partial, bytes);
        await rename(partial, path);
        await syncFolder(dirname(path));
        if (created) await syncFolder(dirname(created));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    get: (key) => undefinedIfMissing(() => readFile(pathOf(key))),
    size: (key) =>
      undefinedIfMissing(async () => {
        const stats = await stat(pathOf(key));
        return stats.isFile() ? stats.size : undefined;
      }),
    stream: (key, start, end) => undefinedIfMissing(async () => (await open(pathOf(key))).createReadStream({ start, end })),
    deleteFolder: async (folder) => rm(pathOf(folder), { recursive: true, force: true }),
    async check() {
      const folder = `probe-${randomUUID()}`;
      await store.put(`${folder}/probe`, Buffer.from("probe"));
      const stored = await store.get(`${folder}/probe`);
      await store.deleteFolder(folder);
      if (stored?.toString() !== "probe") throw new Error("a file read back differently than it was written");
    },
    close: async () => {},
  };
  return store;
}

/** Without this, a power cut may lose the file's name. Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Includes the errors for a folder and for a path below a file. */
const missing = ["ENOENT", "ENOTDIR", "EISDIR"];

async function undefinedIfMissing<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (missing.includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
