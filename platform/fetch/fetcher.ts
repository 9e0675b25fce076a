import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { connectionTo, findTarget, type Reach, type Target } from "./target.ts";

export class NotFetched extends Error {}

/** Gets the bytes at an address of someone's choosing. @throws NotFetched, also once `signal` is aborted. */
export type Fetcher = (address: string, limits: FetchLimits) => Promise<Uint8Array>;

export type FetchLimits = {
  maxBytes: number;
  accept: string;
  signal: AbortSignal;
};

export type FetcherParts = Pick<Reach, "resolve" | "also"> & { userAgent?: string };

const redirectsMax = 3;
const totalTimeoutMs = 8_000;
const maxHeaderBytes = 16 * 1024;

/**
 * A fetcher that can't be led to machines that only this one reaches. A name is resolved first, every address it has must be
 * public, and the connection goes to the address that was looked at, never through a second look-up. Each redirect is a new
 * address. Nothing of the site or of its members is sent along.
 */
export function createFetcher({ userAgent = "Inkstead", ...reach }: FetcherParts = {}): Fetcher {
  return async (address, { signal, ...limits }) => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
    try {
      let url = new URL(address);
      for (let redirects = 0; redirects <= redirectsMax; redirects++) {
        const target = await findTarget(url, reach);
        until.throwIfAborted();
        const answer = await ask(url, target, { ...limits, userAgent, signal: until });
        if (answer instanceof Uint8Array) return answer;
        url = new URL(answer.location, url);
      }
      throw new NotFetched("too many redirects");
    } catch (error) {
      throw error instanceof NotFetched ? error : new NotFetched((error as Error).message, { cause: error });
    }
  };
}

type FetchRequest = Omit<FetchLimits, "signal"> & { userAgent: string; signal: AbortSignal };

/** The bytes, or where they are said to be. */
function ask(url: URL, target: Target, { maxBytes, accept, userAgent, signal }: FetchRequest): Promise<Uint8Array | { location: string }> {
  const headers = { host: url.host, accept, "accept-encoding": "identity", "user-agent": userAgent };
  const options = { ...connectionTo(url, target), headers, signal, maxHeaderSize: maxHeaderBytes };
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? https.request(options) : http.request(options);
    request.on("error", reject).on("response", (response) => {
      read(response, maxBytes).then(resolve, reject);
      // Nothing more is read of what was refused.
      response.once("close", () => request.destroy());
    });
    request.end();
  });
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Uint8Array | { location: string }> {
  const { statusCode = 0, headers } = response;
  try {
    if ([301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined) return { location: headers.location };
    if (statusCode !== 200) throw new NotFetched(`it was answered ${statusCode}`);
    if (Number(headers["content-length"] ?? 0) > maxBytes) throw new NotFetched("it is too large");
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response) {
      size += (part as Uint8Array).byteLength;
      if (size > maxBytes) throw new NotFetched("it is too large");
      parts.push(part as Uint8Array);
    }
    return Buffer.concat(parts);
  } finally {
    response.destroy();
  }
}
