import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { hostOf, NotFetched, openRequest, resolveName, type Target, targetOf } from "./fetcher.ts";

type PostRequest = {
  headers: Record<string, string>;
  body: Uint8Array;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxAnswerBytes?: number;
};

export type PostAnswer = { status: number; retryAfter: string | undefined; answer?: string };

export type Poster = {
  /** @throws NotFetched for anything but a public https address. */
  check(address: string): Promise<void>;
  post(address: string, posting: PostRequest): Promise<PostAnswer>;
};

export type PosterParts = {
  resolve?: (hostname: string) => Promise<string[]>;
  also?: Target[];
  allowPrivate?: boolean;
  ca?: string;
};

const totalTimeoutMs = 8_000;

export function createPoster({ resolve = resolveName, also = [], ca, allowPrivate = false }: PosterParts = {}): Poster {
  const find = async (address: string) => {
    const url = URL.parse(address);
    if (url && allowPrivate) return { url, target: await anyTarget(url) };
    if (url?.protocol !== "https:") throw new NotFetched("only https addresses are allowed");
    return { url, target: await targetOf(url, resolve, also) };
  };
  return {
    async check(address) {
      await find(address);
    },
    async post(address, posting) {
      try {
        const { url, target } = await find(address);
        return await send(url, target, posting, ca);
      } catch (error) {
        throw error instanceof NotFetched ? error : new NotFetched((error as Error).message, { cause: error });
      }
    },
  };
}

async function anyTarget(url: URL): Promise<Target> {
  const { address } = await lookup(hostOf(url));
  return { address, port: Number(url.port) || (url.protocol === "https:" ? 443 : 80) };
}

function send(url: URL, target: Target, posting: PostRequest, ca: string | undefined): Promise<PostAnswer> {
  const { body, timeoutMs = totalTimeoutMs, maxAnswerBytes = 0 } = posting;
  const headers = { ...posting.headers, host: url.host, "content-length": body.byteLength };
  const signal = AbortSignal.any([...(posting.signal ? [posting.signal] : []), AbortSignal.timeout(timeoutMs)]);
  return new Promise((resolve, reject) => {
    const request = openRequest(url, target, { method: "POST", headers, signal, ...(ca !== undefined && { ca }) }).on("error", reject);
    request.on("response", (response) => {
      const { statusCode = 0, headers: received } = response;
      const read = maxAnswerBytes > 0 ? text(firstBytes(response, maxAnswerBytes)) : Promise.resolve("");
      read
        .then((answer) => resolve({ status: statusCode, retryAfter: received["retry-after"], answer }), reject)
        .finally(() => request.destroy());
    });
    request.end(body);
  });
}

async function* firstBytes(response: IncomingMessage, max: number): AsyncGenerator<Buffer> {
  let left = max;
  for await (const part of response) {
    yield (part as Buffer).subarray(0, left);
    left -= (part as Buffer).byteLength;
    if (left <= 0) return;
  }
}
