import type { Readable } from "node:stream";

/** Where bytes are kept, by key. Keys are letters, digits, `-`, `_`, `.` and `/`. */
export type FileStore = {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The whole file, or undefined when there is none. */
  get(key: string): Promise<Buffer | undefined>;
  /** Its size in bytes, or undefined when there is none. */
  size(key: string): Promise<number | undefined>;
  /**
   * A part of the file, or undefined when there is none; both ends are included and lie within it. However slowly it is
   * read, little of it is in memory; destroying it stops the read.
   */
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
