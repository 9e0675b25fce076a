import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fullCount } from "#domain/format.ts";
import type { FileStore } from "#platform/files/file-store.ts";
import { type CopyContext, throwIfAborted } from "./copy-tables.ts";

export type DiskFile = { key: string; size: number };

/** No table has this name. */
const part = "files on disk";
const concurrency = 8;

/** Files on the disk in key order, without partial ones that a crash left. */
export async function listFiles(root: string): Promise<DiskFile[]> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".partial"))
    .map((entry) => join(entry.parentPath, entry.name));
  const files = paths.filter((path) => !relative(root, path).startsWith("probe"));
  const listed = await Promise.all(files.map(async (path) => ({ key: keyOf(root, path), size: (await stat(path)).size })));
  return listed.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function keyOf(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

/** Copies missing files, a few at a time. */
export async function copyFiles({ target, bar, signal }: CopyContext, root: string, store: FileStore): Promise<void> {
  const files = await listFiles(root);
  let { rows, last } = await target.progress(part);
  const alreadyCopied = rows;
  const remaining = files.filter((file) => last === null || file.key > last);
  for (let from = 0; from < remaining.length; from += concurrency) {
    throwIfAborted(signal);
    const batch = remaining.slice(from, from + concurrency);
    await Promise.all(batch.map(async ({ key }) => store.put(key, await readFile(join(root, key)))));
    rows += batch.length;
    last = (batch.at(-1) as DiskFile).key;
    await target.setProgress(part, { rows, last });
    bar.show("files", rows, files.length);
  }
  bar.line(
    `  ${"files on disk".padEnd(16)} ${fullCount(rows)}${alreadyCopied > 0 ? `, ${fullCount(alreadyCopied)} of them already copied` : ""}`,
  );
}

/** Files that are missing in the store or differ in size. */
export async function compareFiles({ bar, signal }: CopyContext, files: DiskFile[], store: FileStore): Promise<string[]> {
  const different: string[] = [];
  for (let from = 0; from < files.length; from += concurrency) {
    throwIfAborted(signal);
    const batch = files.slice(from, from + concurrency);
    const sizes = await Promise.all(batch.map(({ key }) => store.size(key)));
    batch.forEach(({ key, size }, index) => {
      if (sizes[index] !== size) different.push(key);
    });
    bar.show("comparing files", from, files.length);
  }
  return different;
}
