import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Disk, errors } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";
import type { FileStore } from "./file-store.ts";

/** Files in a folder of the machine. */
export function diskStore(root: string): FileStore {
  const disk = new Disk(new FSDriver({ location: pathToFileURL(`${root}/`), visibility: "private" }));
  const store: FileStore = {
    // FlyDrive neither forces bytes to the disk nor writes beside and renames: a crash would leave half a file.
    async put(key, bytes) {
      const path = join(root, checkKey(key));
      const beside = `${path}.${randomUUID()}.partial`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await writeThrough(beside, bytes);
        await rename(beside, path);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },
    get: (key) => orUndefined(async () => Buffer.from(await disk.getBytes(checkKey(key)))),
    size: (key) => orUndefined(async () => (await disk.getMetaData(checkKey(key))).contentLength),
    stream: async (key, start, end) => createReadStream(join(root, checkKey(key)), { start, end }),
    deleteFolder: async (folder) => rm(join(root, checkKey(folder)), { recursive: true, force: true }),
    async check() {
      const folder = `probe-${randomUUID()}`;
      await store.put(`${folder}/probe`, Buffer.from("probe"));
      const kept = await store.get(`${folder}/probe`);
      await store.deleteFolder(folder);
      if (kept?.toString() !== "probe") throw new Error("a file did not come back as it was written");
    },
  };
  return store;
}

/** An empty key would be the whole store, one with dots something outside it. */
function checkKey(key: string): string {
  const isKey = /^[\w.-]+(\/[\w.-]+)*$/.test(key) && !/(^|\/)\.\.?(\/|$)/.test(key);
  if (!isKey) throw new Error(`${JSON.stringify(key)} is no key of a file`);
  return key;
}

async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function orUndefined<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (missing(error)) return undefined;
    throw error;
  }
}

function missing(error: unknown): boolean {
  const cause = error instanceof errors.E_CANNOT_READ_FILE || error instanceof errors.E_CANNOT_GET_METADATA ? error.cause : error;
  return (cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT";
}
