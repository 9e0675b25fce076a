import { Readable } from "node:stream";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { checkKey, type FileStore } from "./file-store.ts";
import type { S3Config } from "./s3-url.ts";

const defaultRequestTimeoutMs = 10_000;
const minUploadBytesPerMs = 1_000;
const connectTimeoutMs = 3_000;

const rangeBytes = 1024 * 1024;

/** Writing an object is atomic. `requestTimeoutMs` limits all attempts of a call together; an upload gets more time by its size. */
export function s3Store(config: S3Config, requestTimeoutMs = defaultRequestTimeoutMs): FileStore {
  const { bucket: Bucket, prefix } = config;
  const client = limitedClient(config, requestTimeoutMs);
  const keyOf = (key: string) => (prefix === "" ? checkKey(key) : `${prefix}/${checkKey(key)}`);
  const at = (key: string) => ({ Bucket, Key: keyOf(key) });

  const store: FileStore = {
    put: async (key, bytes) => void (await client.send(new PutObjectCommand({ ...at(key), Body: bytes }))),
    get: (key) =>
      undefinedIfMissing(async () => toBuffer(await (await client.send(new GetObjectCommand(at(key)))).Body?.transformToByteArray())),
    size: (key) => undefinedIfMissing(async () => (await client.send(new HeadObjectCommand(at(key)))).ContentLength),
    stream: (key, start, end) => undefinedIfMissing(() => streamRanges(client, Bucket, keyOf(key), start, end)),
    async deleteFolder(folder) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: `${keyOf(folder)}/` })) {
        if (Contents.length === 0) continue;
        const Objects = Contents.map(({ Key }) => ({ Key }));
        // A bulk deletion answers 200 even if some objects were refused.
        const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
        if (Errors[0]) throw new Error(`not everything in ${folder} could be removed: ${Errors[0].Code}`);
      }
    },
    async check() {
      // Always the same key, in case a probe can't be removed.
      await store.put("probe/probe", Buffer.from("probe"));
      const stored = await store.get("probe/probe");
      if (stored?.toString() !== "probe") throw new Error("a file read back differently than it was written");
    },
    close: async () => client.destroy(),
  };
  return store;
}

export function limitedClient({ endpoint, region, pathStyle, checksums, credentials }: S3Config, requestTimeoutMs: number): S3Client {
  const checksumMode = checksums ? "WHEN_SUPPORTED" : "WHEN_REQUIRED";
  const options: S3ClientConfig = {
    region,
    credentials,
    forcePathStyle: pathStyle,
    requestChecksumCalculation: checksumMode,
    responseChecksumValidation: checksumMode,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: connectTimeoutMs },
    ...(endpoint && { endpoint }),
  };
  const client = new S3Client(options);
  const send = client.send.bind(client) as (command: Sendable, options?: SendOptions) => Promise<unknown>;
  client.send = ((command: Sendable, { abortSignal }: SendOptions = {}) => {
    const limit = AbortSignal.timeout(requestTimeoutMs + Math.ceil((command.input.Body?.byteLength ?? 0) / minUploadBytesPerMs));
    return send(command, { abortSignal: abortSignal ? AbortSignal.any([abortSignal, limit]) : limit });
  }) as S3Client["send"];
  return client;
}

type Sendable = { input: { Body?: { byteLength?: number } } };
type SendOptions = { abortSignal?: AbortSignal };

/**
 * Fetches range by range as the stream is read, so that slow or paused readers don't hold one of the few connections to the store. The
 * first range is fetched at once, so that errors are known.
 */
export async function streamRanges(client: S3Client, Bucket: string, Key: string, start: number, end: number): Promise<Readable> {
  const stop = new AbortController();

  async function fetchRange(from: number): Promise<Buffer> {
    const to = Math.min(from + rangeBytes - 1, end);
    const response = await client.send(new GetObjectCommand({ Bucket, Key, Range: `bytes=${from}-${to}` }), { abortSignal: stop.signal });
    const bytes = toBuffer(await response.Body?.transformToByteArray());
    if (bytes.byteLength !== to - from + 1) throw new Error(`${Key} is shorter than it was`);
    return bytes;
  }

  let from = start;
  const next = () => {
    const fetched = fetchRange(from);
    from += rangeBytes;
    return fetched;
  };
  let first: Buffer | undefined = await next();

  return new Readable({
    read() {
      if (first) {
        this.push(first);
        first = undefined;
      } else if (from > end) this.push(null);
      else
        next().then(
          (bytes) => this.push(bytes),
          (error) => this.destroy(error),
        );
    },
    destroy(error, done) {
      stop.abort();
      done(error);
    },
  });
}

function toBuffer(bytes: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export async function undefinedIfMissing<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    // The response to HEAD has no body, and therefore no proper error name.
    if (error instanceof Error && (error.name === "NoSuchKey" || error.name === "NotFound")) return undefined;
    throw error;
  }
}
