import { Resolver } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type TcpSocketConnectOpts } from "node:net";
import { BodyTooLarge, readBytes } from "#platform/bounded-body.ts";
import { kilobyte } from "#platform/bytes.ts";
import { isPublicIp, withoutSynthesizedIps } from "./public-ips.ts";

export class FetchError extends Error {}
/** A private address or an unusual port. */
export class PrivateIpError extends FetchError {}

export type Fetcher = (href: string, limits: FetchLimits) => Promise<Uint8Array>;

type FetchLimits = {
  maxBytes: number;
  accept: string;
  signal: AbortSignal;
};

export type FetcherOptions = {
  resolve?: (hostname: string) => Promise<string[]>;
  allowedTargets?: AllowedTarget[];
};

export type AllowedTarget = { ip: string; port: number };
/** The connection uses the first address that answers. */
export type Target = { ips: string[]; port: number };

const maxRedirects = 3;
const ports: Record<string, number> = { "http:": 80, "https:": 443 };
const totalTimeoutMs = 8_000;
/** Of each address but the last. */
const connectTimeoutMs = 3_000;
const maxHeaderBytes = 16 * kilobyte;

/**
 * Protects against server-side request forgery: names are resolved once, all their addresses must be public, and the connection uses
 * only these. Each redirect is checked again.
 */
export function createFetcher({ resolve = resolveName, allowedTargets = [] }: FetcherOptions = {}): Fetcher {
  return async (href, { signal, ...limits }) => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
    try {
      let url = new URL(href);
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const target = await targetOf(url, resolve, allowedTargets);
        until.throwIfAborted();
        const response = await request(url, target, { ...limits, signal: until });
        if (response instanceof Uint8Array) return response;
        url = new URL(response.location, url);
      }
      throw new FetchError("too many redirects");
    } catch (error) {
      throw asFetchError(error);
    }
  };
}

export function asFetchError(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  if (error instanceof BodyTooLarge) return new FetchError("the response is too large");
  const { message, code } = error as NodeJS.ErrnoException;
  // Several failed connections have only a code.
  return new FetchError(message || code, { cause: error });
}

/** @throws FetchError */
export async function targetOf(
  url: URL,
  resolve: (hostname: string) => Promise<string[]>,
  allowedTargets: AllowedTarget[],
): Promise<Target> {
  const usual = ports[url.protocol];
  if (usual === undefined) throw new FetchError(`unsupported protocol ${url.protocol}`);
  if (url.username || url.password) throw new FetchError("addresses with credentials are not allowed");
  const port = url.port === "" ? usual : Number(url.port);
  const host = hostOf(url);
  const ips = isIP(host) ? [host] : withoutSynthesizedIps(await resolve(host));
  if (ips.length === 0) throw new FetchError(`${host} has no address`);
  const isAllowed = (ip: string) =>
    allowedTargets.some((each) => each.ip === ip && each.port === port) || (port === usual && isPublicIp(ip));
  // All of them: mixed public and private addresses are suspicious.
  if (!ips.every(isAllowed)) throw new PrivateIpError(`${host}, port ${port}, is not on the public network`);
  return { ips, port };
}

/** Ignores /etc/hosts and doesn't use the thread pool, which files and pictures need. */
export async function resolveName(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

function request(url: URL, target: Target, { maxBytes, accept, signal }: FetchLimits): Promise<Uint8Array | { location: string }> {
  const headers = { host: url.host, accept, "accept-encoding": "identity", "user-agent": "Inkstead" };
  return new Promise((resolve, reject) => {
    const request = openRequest(url, target, { headers, signal });
    request.on("error", reject).on("response", (response) => {
      read(response, maxBytes).then(resolve, reject);
      // Don't read the rest of a refused response.
      response.once("close", () => request.destroy());
    });
    request.end();
  });
}

/** Connects to addresses of `target` only, whatever the name of `url` resolves to by now. */
export function openRequest(url: URL, { ips, port }: Target, options: https.RequestOptions): http.ClientRequest {
  const name = hostOf(url);
  const addresses = ips.map((address) => ({ address, family: isIP(address) }));
  const connection = {
    host: name,
    port,
    lookup: (_name, _options, callback) => callback(null, addresses),
    // A machine may have only one of IPv4 and IPv6.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectTimeoutMs,
    servername: isIP(name) ? "" : name,
    agent: false,
    maxHeaderSize: maxHeaderBytes,
  } satisfies https.RequestOptions & Pick<TcpSocketConnectOpts, "autoSelectFamily" | "autoSelectFamilyAttemptTimeout">;
  return (url.protocol === "https:" ? https : http).request({ ...connection, path: url.pathname + url.search, ...options });
}

export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Uint8Array | { location: string }> {
  const { statusCode = 0, headers } = response;
  try {
    if ([301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined) return { location: headers.location };
    if (statusCode !== 200) throw new FetchError(`unexpected status ${statusCode}`);
    if (Number(headers["content-length"] ?? 0) > maxBytes) throw new FetchError("the response is too large");
    return await readBytes(response, maxBytes);
  } finally {
    response.destroy();
  }
}
