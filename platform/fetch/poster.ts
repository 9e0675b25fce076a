import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { text } from "node:stream/consumers";
import { kilobyte } from "#platform/bytes.ts";
import { NotFetched, resolveName, type Target, targetOf } from "./fetcher.ts";

type PostRequest = {
  headers: Record<string, string>;
  body: Uint8Array;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Without it the answer's body isn't read. */
  maxAnswerBytes?: number;
};

export type PostAnswer = { status: number; retryAfter: string | undefined; answer?: string };

export type Poster = {
  /** @throws NotFetched for anything but a public https address. */
  check(address: string): Promise<void>;
  /** Doesn't follow redirects. @throws NotFetched */
  post(address: string, posting: PostRequest): Promise<PostAnswer>;
};

export type PosterParts = {
  resolve?: (hostname: string) => Promise<string[]>;
  also?: Target[];
  /** Allows private addresses, any port and http. */
  allowPrivate?: boolean;
  /** Additional trusted certificate. */
  ca?: string;
};

const totalTimeoutMs = 8_000;
const maxHeaderBytes = 16 * kilobyte;

/** Protected like the fetcher. */
export function createPoster({ resolve = resolveName, also = [], ca, allowPrivate = false }: PosterParts = {}): Poster {
  const find = async (address: string) => {
    const url = URL.parse(address);
    if (url && allowPrivate) return { url, target: await anyTarget(url) };
    if (url?.protocol !== "https:") throw new NotFetched("only https addresses are posted to");
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
  const { address } = await lookup(url.hostname.replace(/^\[|\]$/g, ""));
  return { address, port: Number(url.port) || (url.protocol === "https:" ? 443 : 80) };
}

function send(url: URL, { address, port }: Target, posting: PostRequest, ca: string | undefined): Promise<PostAnswer> {
  const { headers, body, signal, timeoutMs = totalTimeoutMs, maxAnswerBytes = 0 } = posting;
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const options = {
    ...{ method: "POST", host: address, port, path: url.pathname + url.search, servername: isIP(name) ? "" : name },
    ...{ headers: { ...headers, host: url.host, "content-length": body.byteLength }, agent: false as const },
    ...{
      signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(timeoutMs)]),
      maxHeaderSize: maxHeaderBytes,
      ...(ca !== undefined && { ca }),
    },
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? https : http).request(options).on("error", reject);
    request.on("response", (response) => {
      const { statusCode = 0, headers: said } = response;
      const read = maxAnswerBytes > 0 ? text(firstBytes(response, maxAnswerBytes)) : Promise.resolve("");
      read
        .then((answer) => resolve({ status: statusCode, retryAfter: said["retry-after"], answer }), reject)
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
