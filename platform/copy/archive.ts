import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { extract, type Pack, pack } from "tar-stream";
import { readBytes } from "../bounded-body.ts";
import type { Column, CopiedValue } from "./columns.ts";

/**
 * A tar with, in this order: `inkstead.json` (Manifest), tables as `tables/NAME/00001.ndjson.gz` (one row per line, as an array of texts),
 * files under `files/` with their SHA-256, and `checksums.json`, without which it is incomplete.
 */
export const archiveFormat = 1;

export type Manifest = {
  format: number;
  madeAt: string;
  engine: string;
  site: { name: string; url: string };
  /** Tells whether two secrets are equal without revealing them. */
  secretMark: string;
  migrations: string[];
  tables: { name: string; columns: Column[] }[];
};

export type Checksums = {
  tables: Record<string, { rows: number; sum: string }>;
  files: { count: number; bytes: number; sum: string };
};

export type Part =
  | { kind: "manifest"; manifest: Manifest }
  | { kind: "rows"; table: string; rows: CopiedValue[][] }
  | { kind: "file"; key: string; bytes: Buffer; sha256: string }
  | { kind: "checksums"; checksums: Checksums };

/** A path, or a function that opens the stream from the start; called more than once. */
export type ArchiveSource = string | (() => Promise<Readable>);

/** The file is no archive, incomplete or damaged. */
export class BrokenArchive extends Error {}

const names = { manifest: "inkstead.json", checksums: "checksums.json" };
const charactersPerEntry = 2_000_000;
const [compress, expand] = [promisify(gzip), promisify(gunzip)];

export class ArchiveWriter {
  readonly #pack: Pack = pack();
  readonly #output;
  readonly #path: string;
  #bytes = 0;

  constructor(path: string) {
    this.#path = path;
    // Private: it holds everyone's messages.
    this.#output = createWriteStream(path, { mode: 0o600 });
    this.#pack.on("data", (chunk: Buffer) => {
      this.#bytes += chunk.byteLength;
      if (!this.#output.write(chunk)) {
        this.#pack.pause();
        this.#output.once("drain", () => this.#pack.resume());
      }
    });
    this.#output.on("error", (error) => this.#pack.destroy(error));
  }

  writeManifest(manifest: Manifest): Promise<void> {
    return this.#entry(names.manifest, Buffer.from(JSON.stringify(manifest, null, 1)));
  }

  async writeTable(table: string, rows: AsyncIterable<CopiedValue[]> | Iterable<CopiedValue[]>): Promise<void> {
    let [lines, characters, number] = [[] as string[], 0, 0];
    const flush = async () => {
      if (lines.length === 0) return;
      const name = `tables/${table}/${String(++number).padStart(5, "0")}.ndjson.gz`;
      await this.#entry(name, await compress(Buffer.from(`${lines.join("\n")}\n`), { level: 4 }));
      [lines, characters] = [[], 0];
    };
    for await (const row of rows) {
      const line = JSON.stringify(row);
      lines.push(line);
      characters += line.length;
      if (characters >= charactersPerEntry) await flush();
    }
    await flush();
  }

  writeFile(key: string, bytes: Buffer, sha256: string): Promise<void> {
    return this.#entry(`files/${key}`, bytes, { sha256 });
  }

  async finish(checksums: Checksums): Promise<number> {
    await this.#entry(names.checksums, Buffer.from(JSON.stringify(checksums, null, 1)));
    this.#pack.finalize();
    await once(this.#pack, "end");
    this.#output.end();
    await finished(this.#output);
    const file = await open(this.#path, "r+");
    await file.sync();
    await file.close();
    return this.#bytes;
  }

  destroy(): void {
    this.#pack.destroy();
    this.#output.destroy();
  }

  #entry(name: string, bytes: Buffer, attributes: Record<string, string> = {}): Promise<void> {
    const pax = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`SCHILY.xattr.user.${key}`, value]));
    return new Promise((resolve, reject) => {
      if (this.#output.errored) return reject(this.#output.errored);
      this.#output.once("error", reject);
      const done = (error?: Error | null) => {
        this.#output.off("error", reject);
        if (error) reject(error);
        else resolve();
      };
      this.#pack.entry({ name, mode: 0o600, mtime: new Date(), ...(attributes.sha256 && { pax }) }, bytes, done);
    });
  }
}

/** Streams one part at a time. @throws BrokenArchive. */
export async function* readArchive(from: ArchiveSource): AsyncGenerator<Part> {
  const tar = extract();
  const source = typeof from === "string" ? createReadStream(from, { highWaterMark: 1024 * 1024 }) : await from();
  source.on("error", (error) => tar.destroy(error));
  source.pipe(tar);
  let isComplete = false;
  try {
    for await (const entry of tar) {
      const header = entry.header as { name: string; pax?: Record<string, string> };
      const bytes = await readBytes(entry);
      const part = await parsePart(header.name, bytes, header.pax?.["SCHILY.xattr.user.sha256"]);
      isComplete ||= part.kind === "checksums";
      yield part;
    }
  } catch (error) {
    if (error instanceof BrokenArchive || (error as NodeJS.ErrnoException).code === "ENOENT") throw error;
    throw new BrokenArchive(`The backup can't be read: ${(error as Error).message}.`);
  } finally {
    source.destroy();
  }
  if (!isComplete) throw new BrokenArchive("The backup is incomplete: its end is missing.");
}

async function parsePart(name: string, bytes: Buffer, sha256 = ""): Promise<Part> {
  if (name === names.manifest) return { kind: "manifest", manifest: checkFormat(JSON.parse(bytes.toString())) };
  if (name === names.checksums) return { kind: "checksums", checksums: JSON.parse(bytes.toString()) as Checksums };
  const [, table] = /^tables\/(\w+)\/\d+\.ndjson\.gz$/.exec(name) ?? [];
  if (table) {
    const lines = (await expand(bytes)).toString().trimEnd().split("\n");
    return { kind: "rows", table, rows: lines.map((line) => JSON.parse(line) as CopiedValue[]) };
  }
  if (!name.startsWith("files/")) throw new BrokenArchive(`The backup holds ${name}, which this version doesn't know.`);
  const key = name.slice("files/".length);
  if (createHash("sha256").update(bytes).digest("hex") !== sha256) throw new BrokenArchive(`The file ${key} in the backup is damaged.`);
  return { kind: "file", key, bytes, sha256 };
}

function checkFormat(manifest: Manifest): Manifest {
  if (manifest.format === archiveFormat) return manifest;
  throw new BrokenArchive(`The backup has the format ${manifest.format}; this version reads ${archiveFormat}.`);
}

export async function readManifest(from: ArchiveSource): Promise<Manifest> {
  for await (const part of readArchive(from)) if (part.kind === "manifest") return part.manifest;
  throw new BrokenArchive("This isn't an Inkstead backup.");
}
