import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decrypt, encrypt } from "#platform/copy/encryption.ts";
import { type RunningS3, startS3 } from "../../tests/support/s3.ts";
import { openArchiveBucket } from "./archive-bucket.ts";

let s3: RunningS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());

const name = "inkstead-2026-11-23T030000-1a2b.tar.age";

test("an archive of several parts is read back unchanged, also if it ends with a full part", async () => {
  const bucket = openArchiveBucket(s3.place(), { minPartBytes: 100_000 });
  const key = await generateX25519Identity();
  const recipients = [await identityToRecipient(key), await identityToRecipient(await generateX25519Identity())];
  for (const length of [0, 1, 65_536, 99_000, 300_000, 300_001]) {
    const bytes = randomBytes(length);
    const { stream, size } = await encrypt(Readable.from([bytes]), length, recipients);
    await bucket.send(name, stream, size, () => {});
    expect(await bucket.size(name)).toBe(size);
    const back = await bucket.open(name, size);
    expect(await buffer(await decrypt(back as Readable, [key]))).toEqual(bytes);
  }
  const exact = randomBytes(200_000);
  await bucket.send(name, Readable.from([exact]), exact.byteLength, () => {});
  expect(await buffer((await bucket.open(name, exact.byteLength)) as Readable)).toEqual(exact);
  await bucket.remove(name);
  expect([await bucket.list(), await bucket.size(name)]).toEqual([[], undefined]);
  bucket.close();
});

test("an aborted upload leaves no object, and a hanging one times out", async () => {
  const place = s3.place();
  const bucket = openArchiveBucket(place, { minPartBytes: 1_000, timeoutMs: 500 });
  async function* breaking() {
    yield randomBytes(2_500);
    throw new Error("the disk is gone");
  }
  await expect(bucket.send(name, breaking(), 5_000, () => {})).rejects.toThrow("the disk is gone");
  s3.freeze();
  await expect(bucket.send(name, Readable.from([randomBytes(2_500)]), 2_500, () => {})).rejects.toThrow(/abort|time/i);
  s3.thaw();
  expect(s3.keys(place)).toEqual([]);
  bucket.close();
});
