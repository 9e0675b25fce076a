import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { Decrypter, Encrypter } from "age-encryption";
import { ConfigError } from "../config.ts";
import { BrokenArchive } from "./archive.ts";

/** First line of every age file. */
export const ageFileHeader = "age-encryption.org/v1\n";

export class WrongKey extends Error {}

/** @throws ConfigError for an invalid public key. */
export function checkRecipients(recipients: string[]): void {
  for (const recipient of recipients)
    try {
      new Encrypter().addRecipient(recipient);
    } catch (error) {
      throw new ConfigError(`BACKUP_RECIPIENT has a key that can't be used, ${recipient}: ${(error as Error).message}.`);
    }
}

/** @param size of the input in bytes. @returns the output's size as well. @throws Error for an invalid key. */
export async function encrypt(source: Readable, size: number, recipients: string[]): Promise<{ stream: Readable; size: number }> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const encrypted = await encrypter.encrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>);
  return { stream: Readable.fromWeb(encrypted as NodeStream), size: encrypted.size(size) };
}

/** Authenticated. @param identities `AGE-SECRET-KEY-1…`. @throws WrongKey, BrokenArchive. */
export async function decrypt(source: Readable, identities: string[]): Promise<Readable> {
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch (error) {
    throw new WrongKey(`The key can't be used: ${(error as Error).message}.`);
  }
  try {
    return Readable.fromWeb((await decrypter.decrypt(Readable.toWeb(source) as ReadableStream<Uint8Array>)) as NodeStream);
  } catch (error) {
    source.destroy();
    if (/no identity matched/.test((error as Error).message))
      throw new WrongKey("This key can't decrypt the backup, which was encrypted for a different key.");
    throw new BrokenArchive(`The backup can't be decrypted: ${(error as Error).message}.`);
  }
}
