import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { verifyPassword as verifyScrypt } from "better-auth/crypto";
import { Unavailable } from "#domain/refusals.ts";
import { FairQueue, QueueFull } from "#platform/queues/fair-queue.ts";

const makeArgon2 = promisify(argon2) as (algorithm: "argon2id", parameters: Argon2Parameters) => Promise<Buffer>;

/** Not configurable. Tests lower it. */
export const hashCost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const keyBytes = 32;

/** A hash takes a whole core for 25 ms; one core stays free for requests. */
const queue = new FairQueue({ slots: Math.max(1, Math.min(2, availableParallelism() - 1)), maxWaiting: 400, maxWaitingPerKey: 250 });
const retryAfterSeconds = 10;

/** `from`: the key of the fair queue, such as a network. @throws Unavailable if too many wait. */
function queueHashing<Result>(from: string, work: () => Promise<Result>): Promise<Result> {
  return queue.run(from, work).catch((error: unknown): never => {
    if (!(error instanceof QueueFull)) throw error;
    throw new Unavailable("Too many people are signing in right now. Please try again in a moment.", undefined, retryAfterSeconds);
  });
}

export function queuedPasswordHashes(): number {
  return queue.waiting;
}

/** PHC string format. @throws Unavailable if too many wait. */
export function hashPassword(password: string, from = ""): Promise<string> {
  return queueHashing(from, async () => {
    const salt = randomBytes(saltBytes);
    const key = await makeArgon2("argon2id", { ...hashCost, message: password.normalize("NFKC"), nonce: salt, tagLength: keyBytes });
    return `${phcPrefix()}${unpadded(salt)}$${unpadded(key)}`;
  });
}

/** Also accepts old scrypt hashes. @throws Unavailable if too many wait. */
export function verifyPassword({ hash, password }: { hash: string; password: string }, from = ""): Promise<boolean> {
  return queueHashing(from, async () => {
    const parsed = readHash(hash);
    if (!parsed) return hash.startsWith("$") ? false : verifyScrypt({ hash, password });
    const { key, ...parameters } = parsed;
    const computed = await makeArgon2("argon2id", { ...parameters, message: password.normalize("NFKC"), tagLength: key.length });
    return timingSafeEqual(computed, key);
  });
}

export async function verifyDummyHash(password: string, from: string): Promise<void> {
  await verifyPassword({ hash: `${phcPrefix()}${zeros(saltBytes)}$${zeros(keyBytes)}`, password }, from);
}

const zeros = (bytes: number) => unpadded(Buffer.alloc(bytes));
const phcPrefix = () => `$argon2id$v=19$m=${hashCost.memory},t=${hashCost.passes},p=${hashCost.parallelism}$`;

export function isOutdated(hash: string): boolean {
  const parsed = readHash(hash);
  return !parsed || parsed.memory !== hashCost.memory || parsed.passes !== hashCost.passes || parsed.parallelism !== hashCost.parallelism;
}

const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

function readHash(hash: string): { memory: number; passes: number; parallelism: number; nonce: Buffer; key: Buffer } | undefined {
  const [, memory, passes, parallelism, salt = "", key = ""] = phc.exec(hash) ?? [];
  if (memory === undefined) return undefined;
  const numbers = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { ...numbers, nonce: Buffer.from(salt, "base64"), key: Buffer.from(key, "base64") };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
