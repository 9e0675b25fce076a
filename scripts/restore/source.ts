import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { sendingFailure } from "#domain/backups/send-archive.server.ts";
import type { Config } from "#platform/config.ts";
import type { ArchiveSource } from "#platform/copy/archive.ts";
import { ageFileHeader, decrypt } from "#platform/copy/encryption.ts";
import { type ArchiveBucket, openArchiveBucket, type StoredArchive } from "#platform/files/archive-bucket.ts";
import type { ProgressBar } from "../progress-bar.ts";
import { RestoreError, requireReadable } from "./options.ts";

/** `file`: a path, or `s3:NAME`. `identity`: the file with the private key. */
export type SourceOptions = { file: string; identity: string | undefined; config: Config };
/** Readable repeatedly until it is closed. */
export type OpenSource = { source: ArchiveSource; close(): Promise<void> };

const bucketPrefix = "s3:";
const chunkSize = 1024 * 1024;

/** Encrypted backups stay encrypted on the disk and are decrypted as they are read. @throws RestoreError */
export async function openSource({ file, identity, config }: SourceOptions, bar: ProgressBar): Promise<OpenSource> {
  const handle = file.startsWith(bucketPrefix) ? await download(file.slice(bucketPrefix.length), config, bar) : await openFile(file);
  const read = () => Readable.from(readChunks(handle), { objectMode: false });
  const { buffer } = await handle.read(Buffer.alloc(ageFileHeader.length), 0, ageFileHeader.length, 0);
  const isEncrypted = buffer.toString("latin1") === ageFileHeader;
  const close = () => handle.close();
  if (!isEncrypted) return { source: async () => read(), close };
  try {
    const keys = readIdentity(identity);
    return { source: () => decrypt(read(), keys), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Leaves the handle open if a reader stops early. */
async function* readChunks(handle: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function openFile(file: string): Promise<FileHandle> {
  return open(requireReadable(file));
}

/** In the format of `age-keygen`. */
function readIdentity(file: string | undefined): string[] {
  if (file === undefined) throw new RestoreError("This backup is encrypted. Name the file with your private key: --identity FILE.");
  const keys = readFileSync(requireReadable(file), "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (keys.length === 0) throw new RestoreError(`${file} has no line that begins with AGE-SECRET-KEY-.`);
  return keys;
}

/** Into an unlinked file, which disappears with this process. */
async function download(name: string, config: Config, bar: ProgressBar): Promise<FileHandle> {
  const objectName = name.endsWith(".age") ? name : `${name}.age`;
  return withBucket(config, async (bucket) => {
    const size = await bucket.size(objectName);
    const stream = size && (await bucket.open(objectName, size));
    if (!size || !stream) throw new RestoreError(`There is no backup ${objectName} in the bucket. List the backups with --list.`);
    const handle = await openUnlinked(config.dataDir);
    try {
      let done = 0;
      for await (const chunk of stream) {
        await handle.write(chunk);
        done += chunk.byteLength;
        bar.show("Fetching bytes", done, size);
      }
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  });
}

async function openUnlinked(folder: string): Promise<FileHandle> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `fetched-${randomUUID()}.age`);
  const handle = await open(path, "wx+", 0o600);
  await rm(path);
  return handle;
}

/** `file` is the command's argument. */
type BackupFile = { file: string; size: number; at: number };

/** Available backups, newest first, local ones before off-site ones. @throws RestoreError after the local ones. */
export async function* listBackupFiles(config: Config): AsyncGenerator<BackupFile> {
  const folder = join(config.dataDir, "backups");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".tar")) : [];
  const local = names.map((name) => join(folder, name)).map((file) => ({ file, size: statSync(file).size, at: statSync(file).mtimeMs }));
  yield* local.sort((a, b) => b.at - a.at);
  if (!config.offsite) return;
  for (const { name, size, at } of await listOffsite(config)) yield { file: `${bucketPrefix}${name}`, size, at };
}

export async function listOffsite(config: Config): Promise<StoredArchive[]> {
  return withBucket(config, (bucket) => bucket.list());
}

async function withBucket<Result>({ offsite }: Config, work: (bucket: ArchiveBucket) => Promise<Result>): Promise<Result> {
  if (!offsite) throw new RestoreError("BACKUP_RECIPIENT is missing: it and BACKUP_S3_URL configure off-site backups.");
  const bucket = openArchiveBucket(offsite.s3);
  try {
    return await work(bucket);
  } catch (error) {
    throw error instanceof RestoreError ? error : new RestoreError(`The off-site backups can't be read. ${sendingFailure(error)}`);
  } finally {
    bucket.close();
  }
}
