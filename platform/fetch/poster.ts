import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { type AllowedTarget, asFetchError, FetchError, hostOf, openRequest, resolveName, type Target, targetOf } from "./fetcher.ts";

type PostRequest = {
  headers: Record<string, string>;
  body: Uint8Array;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxResponseBytes?: number;
};

export type PostResponse = { status: number; retryAfter: string | undefined; body?: string };

export type HttpPoster = {
  /** @throws FetchError for anything but a public https address. */
  check(href: string): Promise<void>;
  post(href: string, posting: PostRequest): Promise<PostResponse>;
};

export type PosterOptions = {
  resolve?: (hostname: string) => Promise<string[]>;
  allowedTargets?: AllowedTarget[];
  allowPrivate?: boolean;
  ca?: string;
};

const totalTimeoutMs = 8_000;

export function createPoster({ resolve = resolveName, allowedTargets = [], ca, allowPrivate = false }: PosterOptions = {}): HttpPoster {
  const resolveTarget = async (href: string) => {
    const url = URL.parse(href);
    if (url && allowPrivate) return { url, target: await anyTarget(url) };
    if (url?.protocol !== "https:") throw new FetchError("only https addresses are allowed");
    return { url, target: await targetOf(url, resolve, allowedTargets) };
  };
  return {
    async check(href) {
      await resolveTarget(href);
    },
    async post(href, posting) {
      try {
        const { url, target } = await resolveTarget(href);
        return await send(url, target, posting, ca);
      } catch (error) {
        throw asFetchError(error);
      }
    },
  };
}

async function anyTarget(url: URL): Promise<Target> {
  const found = await lookup(hostOf(url), { all: true });
  return { ips: found.map(({ address }) => address), port: Number(url.port) || (url.protocol === "https:" ? 443 : 80) };
}

function send(url: URL, target: Target, posting: PostRequest, ca: string | undefined): Promise<PostResponse> {
  const { body, timeoutMs = totalTimeoutMs, maxResponseBytes = 0 } = posting;
  const headers = { ...posting.headers, host: url.host, "content-length": body.byteLength };
  const signal = AbortSignal.any([...(posting.signal ? [posting.signal] : []), AbortSignal.timeout(timeoutMs)]);
  return new Promise((resolve, reject) => {
    const request = openRequest(url, target, { method: "POST", headers, signal, ...(ca !== undefined && { ca }) }).on("error", reject);
    request.on("response", (response) => {
      const { statusCode = 0, headers: received } = response;
      const read = maxResponseBytes > 0 ? text(firstBytes(response, maxResponseBytes)) : Promise.resolve("");
      read
        .then((responseBody) => resolve({ status: statusCode, retryAfter: received["retry-after"], body: responseBody }), reject)
        .finally(() => request.destroy());
    });
    request.end(body);
  });
}

async function* firstBytes(response: IncomingMessage, max: number): AsyncGenerator<Buffer> {
  let remaining = max;
  for await (const part of response) {
    yield (part as Buffer).subarray(0, remaining);
    remaining -= (part as Buffer).byteLength;
    if (remaining <= 0) return;
  }
}
