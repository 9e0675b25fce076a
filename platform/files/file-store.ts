import type { Readable } from "node:stream";

/** Keys have letters, digits, `-`, `_`, `.` and `/`. */
export type FileStore = {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Undefined if there is none. */
  get(key: string): Promise<Buffer | undefined>;
  /** Bytes; undefined if there is none. */
  size(key: string): Promise<number | undefined>;
  /** Both ends are included and must lie within the file; undefined if there is none. Buffers little; destroying it stops reading. */
  stream(key: string, start: number, end: number): Promise<Readable | undefined>;
  deleteFolder(folder: string): Promise<void>;
  check(): Promise<void>;
  close(): Promise<void>;
};

export function checkKey(key: string): string {
  const isKey = /^[\w.-]+(\/[\w.-]+)*$/.test(key) && !/(^|\/)\.\.?(\/|$)/.test(key);
  if (!isKey) throw new Error(`${JSON.stringify(key)} is not a file key`);
  return key;
}
