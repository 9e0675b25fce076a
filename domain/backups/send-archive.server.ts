import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { encrypt } from "#platform/copy/encryption.ts";
import { type ArchiveBucket, type OffsiteConfig, openArchiveBucket } from "#platform/files/archive-bucket.ts";
import type { ReportProgress } from "./make-archive.server.ts";

/** `keepAlso`: the archive that is never deleted. */
export type ArchiveToSend = { path: string; offsite: OffsiteConfig; keep: number; keepAlso: string | undefined };

/** Encrypts while uploading, verifies the size and deletes the oldest archives. @throws Error for the operator. */
export async function sendArchive({ path, offsite, keep, keepAlso }: ArchiveToSend, reportProgress: ReportProgress): Promise<void> {
  const bucket = openArchiveBucket(offsite.s3);
  const source = createReadStream(path, { highWaterMark: 1024 * 1024 });
  try {
    const { size: plain } = await stat(path);
    const { stream, size } = await encrypt(source, plain, offsite.recipients);
    const name = storedName(path);
    // Already sent, but the acknowledgment was lost.
    if ((await bucket.size(name)) !== size) {
      await bucket.send(name, stream, size, (sent) => reportProgress("Sending", sent, size));
      if ((await bucket.size(name)) !== size) throw new Error("the uploaded archive has the wrong size");
    }
    await removeOldest(bucket, { sent: name, keep, keepAlso: keepAlso && storedName(keepAlso) }).catch((error: Failure) => {
      // Keys without the right to delete are allowed: a rule of the bucket can expire backups.
      if (error.$metadata?.httpStatusCode !== 403) throw error;
    });
  } catch (error) {
    throw new Error(sendingFailure(error), { cause: error });
  } finally {
    source.destroy();
    bucket.close();
  }
}

const storedName = (archive: string) => `${basename(archive)}.age`;

type Kept = { sent: string; keep: number; keepAlso: string | undefined };

async function removeOldest(bucket: ArchiveBucket, { sent, keep, keepAlso }: Kept): Promise<void> {
  const others = (await bucket.list()).filter(({ name }) => name !== sent);
  for (const { name } of others.slice(keep - 1)) if (name !== keepAlso) await bucket.remove(name);
}

type Failure = Error & { $metadata?: { httpStatusCode?: number } };

export function sendingFailure(error: unknown): string {
  const { name, message, $metadata } = error as Failure;
  if ($metadata?.httpStatusCode) return `The store responded ${$metadata.httpStatusCode} ${name}: ${message}`;
  if (name === "AbortError" || name === "TimeoutError") return "The store didn’t respond in time.";
  return message || name;
}
