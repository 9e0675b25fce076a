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
      const path = join(root, key);
      await mkdir(dirname(path), { recursive: true });
      const beside = `${path}.partial`;
      const file = await open(beside, "w");
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, path);
    },
    get: (key) => orUndefined(async () => Buffer.from(await disk.getBytes(key))),
    size: (key) => orUndefined(async () => (await disk.getMetaData(key)).contentLength),
    stream: async (key, start, end) => createReadStream(join(root, key), { start, end }),
    deleteFolder: (folder) => rm(join(root, folder), { recursive: true, force: true }),
    async check() {
      await store.put("probe/probe", Buffer.from("probe"));
      await store.deleteFolder("probe");
    },
  };
  return store;
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
