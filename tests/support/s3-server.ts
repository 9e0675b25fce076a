import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import S3rver from "s3rver";
import accounts from "s3rver/lib/models/account.js";

/** A real S3 server in its own process: `node --openssl-legacy-provider tests/support/s3-server.ts FOLDER PORT BUCKET`. */
const [directory = "", port = "0", bucket = ""] = process.argv.slice(2);
const server = new S3rver({
  address: "127.0.0.1",
  port: Number(port),
  directory,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket, configs: [] }],
});

const { store } = server;
// It answers before the bytes are in the file, and mixes two uploads of one key; S3 does neither.
store.putObject = async ({ bucket, key, content, metadata }) => {
  const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
  const path = store.getResourcePath(bucket, key, "object");
  const beside = join(directory, `${randomUUID()}.partial`);
  const md5 = createHash("md5").update(bytes).digest("hex");
  await writeFile(beside, bytes);
  await mkdir(dirname(path), { recursive: true });
  await rename(beside, path);
  await store.putMetadata(bucket, key, metadata, md5);
  return { size: bytes.byteLength, md5 };
};

// It reads the range 0-0 as the whole file.
const { getObject } = store;
store.getObject = async (bucket, key, options) => {
  const object = await getObject.call(store, bucket, key, options);
  if (!object?.content || options?.end !== 0) return object;
  object.content.destroy();
  object.content = createReadStream(store.getResourcePath(bucket, key, "object"), { start: 0, end: 0 });
  object.range = { start: 0, end: 0 };
  return object;
};

process.on("message", ({ accessKeyId, secretAccessKey, areValid }: { accessKeyId: string; secretAccessKey: string; areValid: boolean }) => {
  if (areValid) accounts.DUMMY_ACCOUNT.createKeyPair(accessKeyId, secretAccessKey);
  else accounts.DUMMY_ACCOUNT.revokeAccessKey(accessKeyId);
  process.send?.("done");
});
process.on("disconnect", () => process.exit());
await server.run();
process.send?.("ready");
