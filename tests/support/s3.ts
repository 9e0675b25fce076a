import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { S3Config } from "#platform/files/s3-url.ts";
import { freePort } from "./process.ts";

/** A real S3 server with one bucket, in its own process. */
export type RunningS3 = {
  /** In the bucket, under a new prefix. */
  place(chosen?: Partial<S3Config>): S3Config;
  /** The same as a FILES_URL. */
  environment(place: S3Config): Record<string, string>;
  /** Every key under the prefix, without it, in order. */
  keys(place: S3Config): string[];
  /** The file with an object's bytes. */
  file(place: S3Config, key: string): string;
  /** Accepts connections and answers nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Rejects its own keys until `restoreKeys`. */
  revokeKeys(): Promise<void>;
  restoreKeys(): Promise<void>;
  kill(): Promise<void>;
  /** After `kill`, on the same port with the same files. */
  start(): Promise<void>;
  close(): Promise<void>;
};

const bucket = "inkstead-tests";
const credentials = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

export async function startS3(): Promise<RunningS3> {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-s3-"));
  // Not an ephemeral port, which another process could take while this one is down.
  const port = await freePort();
  let child: ChildProcess;

  async function start() {
    // It encrypts its continuation tokens with DES. The channel ends it with the tests.
    const legacy = ["--openssl-legacy-provider", "--no-deprecation"];
    const program = [join(import.meta.dirname, "s3-server.ts"), folder, String(port), bucket];
    child = spawn(process.execPath, [...legacy, ...program], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    await Promise.race([once(child, "message"), ended(child)]);
  }

  async function kill() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async function change(areValid: boolean) {
    child.send({ ...credentials, areValid });
    await once(child, "message");
  }

  await start();
  return {
    place: (chosen = {}) => ({ ...address(port), credentials, ...chosen }),
    environment: ({ bucket, endpoint, prefix }) => ({
      FILES_URL: `s3://${bucket}?endpoint=${endpoint}&prefix=${prefix}`,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }),
    keys: ({ bucket, prefix }) => keysIn(join(folder, bucket, prefix)),
    file: ({ bucket, prefix }, key) => join(folder, bucket, prefix, `${key}${suffix}`),
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    revokeKeys: () => change(false),
    restoreKeys: () => change(true),
    kill,
    start,
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const suffix = "._S3rver_object";

function keysIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.flatMap((name) => (name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : [])).sort();
}

async function ended(child: ChildProcess): Promise<never> {
  const [code] = await once(child, "exit");
  throw new Error(`the S3 server ended with code ${code}`);
}

function address(port: number) {
  const endpoint = `http://127.0.0.1:${port}`;
  return { bucket, endpoint, region: "us-east-1", pathStyle: true, prefix: `tests/${randomUUID()}`, checksums: false };
}
