import { Resolver } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { kilobyte } from "#platform/bytes.ts";
import { isPublicAddress } from "./public-addresses.ts";

export class NotFetched extends Error {}
/** It isn't on the public network, or on an unusual port. */
export class NotPublic extends NotFetched {}

/** Gets the bytes at an address of someone's choosing. @throws NotFetched, also once `signal` is aborted. */
export type Fetcher = (address: string, limits: FetchLimits) => Promise<Uint8Array>;

export type FetchLimits = {
  maxBytes: number;
  accept: string;
  signal: AbortSignal;
};

export type FetcherParts = {
  resolve?: (hostname: string) => Promise<string[]>;
  also?: Target[];
};

const maxRedirects = 3;
const ports: Record<string, number> = { "http:": 80, "https:": 443 };
const totalTimeoutMs = 8_000;
const maxHeaderBytes = 16 * kilobyte;

/**
 * A fetcher that can't be led to machines that only this one reaches. A name is resolved first, every address it has must be
 * public, and the connection goes to the address that was looked at, never through a second look-up. Each redirect is a new
 * address. Nothing of the site or of its members is sent along.
 */
export function createFetcher({ resolve = resolveName, also = [] }: FetcherParts = {}): Fetcher {
  return async (address, { signal, ...limits }) => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
    try {
      let url = new URL(address);
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const target = await targetOf(url, resolve, also);
        until.throwIfAborted();
        const answer = await request(url, target, { ...limits, signal: until });
        if (answer instanceof Uint8Array) return answer;
        url = new URL(answer.location, url);
      }
      throw new NotFetched("too many redirects");
    } catch (error) {
      throw error instanceof NotFetched ? error : new NotFetched((error as Error).message, { cause: error });
    }
  };
}

export type Target = { address: string; port: number };

/** Where a connection may go. @throws NotFetched */
export async function targetOf(url: URL, resolve: (hostname: string) => Promise<string[]>, also: Target[]): Promise<Target> {
  const usual = ports[url.protocol];
  if (usual === undefined) throw new NotFetched(`${url.protocol} is not fetched`);
  if (url.username || url.password) throw new NotFetched("an address with a password is not fetched");
  const port = url.port === "" ? usual : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [host] : await resolve(host);
  const [first] = addresses;
  if (first === undefined) throw new NotFetched(`${host} has no address`);
  const isAllowed = (address: string) =>
    also.some((each) => each.address === address && each.port === port) || (port === usual && isPublicAddress(address));
  // All of them: a name that is public and private is up to something.
  if (!addresses.every(isAllowed)) throw new NotPublic(`${host}, port ${port}, is not on the public network`);
  return { address: first, port };
}

/** Without the machine's own list of names, and not in the threads that files and pictures need. */
export async function resolveName(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

/** The bytes, or where they are said to be. */
function request(
  url: URL,
  { address, port }: Target,
  { maxBytes, accept, signal }: FetchLimits,
): Promise<Uint8Array | { location: string }> {
  const headers = { host: url.host, accept, "accept-encoding": "identity", "user-agent": "Inkstead" };
  const name = url.hostname.replace(/^\[|\]$/g, "");
  // The certificate is the name's, whatever the connection goes to.
  const servername = isIP(name) ? "" : name;
  const options = { host: address, port, path: url.pathname + url.search, headers, agent: false, signal, maxHeaderSize: maxHeaderBytes };
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? https.request({ ...options, servername }) : http.request(options);
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
