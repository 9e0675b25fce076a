import type { Readable } from "node:stream";

/** Where bytes are kept, by key. Keys are letters, digits, `-`, `_`, `.` and `/`. */
export type FileStore = {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The whole file, or undefined when there is none. */
  get(key: string): Promise<Buffer | undefined>;
  /** Its size in bytes, or undefined when there is none. */
  size(key: string): Promise<number | undefined>;
  /** A part of the file; both ends are included. */
  stream(key: string, start: number, end: number): Promise<Readable>;
  /** Removes everything whose key begins with the folder; nothing there is no error. */
  deleteFolder(folder: string): Promise<void>;
  /** Writes, reads and removes a probe. */
  check(): Promise<void>;
};
