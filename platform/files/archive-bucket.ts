import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { megabyte } from "#platform/bytes.ts";
import { limitedClient, streamRanges, undefinedIfMissing } from "./s3.ts";
import type { S3Config } from "./s3-url.ts";

/** For backups outside the machine, encrypted to the operator's public keys. */
export type OffsiteConfig = { s3: S3Config; recipients: string[] };

/** `at`: milliseconds. */
export type StoredArchive = { name: string; size: number; at: number };

export type ArchiveBucket = {
  /** The newest name first. */
  list(): Promise<StoredArchive[]>;
  /** Bytes; undefined if there is none. */
  size(name: string): Promise<number | undefined>;
  /** Atomic. @param size in bytes, of all chunks together */
  send(name: string, chunks: AsyncIterable<Uint8Array>, size: number, onProgress: (sent: number) => void): Promise<void>;
  open(name: string, size: number): Promise<Readable | undefined>;
  remove(name: string): Promise<void>;
  close(): void;
};

/** For one part: enough at 1 Mbit/s. */
const requestTimeoutMs = 60_000;
/** Stores take at most 10,000 parts, of at least 5 MiB except the last. */
const [defaultMinPartBytes, maxParts] = [8 * megabyte, 9_000];
const archiveName = /^inkstead-[\w-]+\.tar\.age$/;

export function openArchiveBucket(
  config: S3Config,
  { minPartBytes = defaultMinPartBytes, timeoutMs = requestTimeoutMs } = {},
): ArchiveBucket {
  const { bucket: Bucket, prefix } = config;
  const client = limitedClient(config, timeoutMs);
  const keyPrefix = prefix === "" ? "" : `${prefix}/`;
  const at = (name: string) => ({ Bucket, Key: keyPrefix + name });
  return {
    async list() {
      const found: StoredArchive[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: `${keyPrefix}inkstead-` }))
        for (const { Key = "", Size = 0, LastModified } of Contents) {
          const name = Key.slice(keyPrefix.length);
          if (archiveName.test(name)) found.push({ name, size: Size, at: LastModified?.getTime() ?? 0 });
        }
      return found.sort((a, b) => (a.name < b.name ? 1 : -1));
    },
    size: (name) => undefinedIfMissing(async () => (await client.send(new HeadObjectCommand(at(name)))).ContentLength),
    async send(name, chunks, size, onProgress) {
      const partSize = Math.max(minPartBytes, Math.ceil(size / maxParts));
      if (size <= partSize) await client.send(new PutObjectCommand({ ...at(name), Body: await join(chunks, size) }));
      else await sendParts(client, at(name), toParts(chunks, partSize), onProgress);
    },
    open: (name, size) => undefinedIfMissing(() => streamRanges(client, Bucket, keyPrefix + name, 0, size - 1)),
    remove: async (name) => void (await client.send(new DeleteObjectCommand(at(name)))),
    close: () => client.destroy(),
  };
}

/** Holds one part in memory. */
async function sendParts(
  client: S3Client,
  object: { Bucket: string; Key: string },
  parts: AsyncIterable<Uint8Array>,
  onProgress: (sent: number) => void,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
  const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
  let sent = 0;
  try {
    for await (const Body of parts) {
      const PartNumber = Parts.length + 1;
      const { ETag } = await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber, Body }));
      Parts.push({ ETag, PartNumber });
      sent += Body.byteLength;
      onProgress(sent);
    }
    await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => {});
    throw error;
  }
}

async function join(chunks: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  for await (const part of toParts(chunks, size)) return part;
  return new Uint8Array();
}

/** Splits the bytes into parts of one size. They share a buffer: each is valid until the next. */
async function* toParts(chunks: AsyncIterable<Uint8Array>, partSize: number): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafe(partSize);
  let filled = 0;
  for await (let chunk of chunks)
    while (chunk.byteLength > 0) {
      if (filled === partSize) {
        yield part;
        filled = 0;
      }
      const taken = chunk.subarray(0, partSize - filled);
      part.set(taken, filled);
      filled += taken.byteLength;
      chunk = chunk.subarray(taken.byteLength);
    }
  if (filled > 0) yield part.subarray(0, filled);
}
