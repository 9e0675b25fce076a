import { Resolver } from "node:dns/promises";
import type { RequestOptions } from "node:https";
import { isIP } from "node:net";
import { isPublicAddress } from "./public-addresses.ts";

/** The address must not be asked, now or later. */
export class NotAllowedTarget extends Error {}

/** Where a connection goes: never through a second look-up of the name. */
export type Target = { address: string; port: number };

export type Reach = {
  resolve?: ((hostname: string) => Promise<string[]>) | undefined;
  /** Allowed besides the public network. */
  also?: Target[] | undefined;
  /** Not only the one that the protocol has. */
  anyPort?: boolean | undefined;
};

const ports: Record<string, number> = { "http:": 80, "https:": 443 };

/**
 * Resolves the name once. Every address that it has must be public: a name that is public and private is up to something. Connect with
 * `connectionTo`, to the address that was looked at. @throws NotAllowedTarget, Error for a name without an address.
 */
export async function findTarget(url: URL, { resolve = resolveName, also = [], anyPort = false }: Reach = {}): Promise<Target> {
  const usual = ports[url.protocol];
  if (usual === undefined) throw new NotAllowedTarget(`${url.protocol} is not fetched`);
  if (url.username || url.password) throw new NotAllowedTarget("an address with a password is not fetched");
  const port = url.port === "" ? usual : Number(url.port);
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await resolve(host);
  const [first] = addresses;
  if (first === undefined) throw new Error(`${host} has no address`);
  const isAllowed = (address: string) =>
    also.some((each) => each.address === address && each.port === port) || ((anyPort || port === usual) && isPublicAddress(address));
  if (!addresses.every(isAllowed)) throw new NotAllowedTarget(`${host}, port ${port}, is not on the public network`);
  return { address: first, port };
}

/** Options of a request that goes there and nowhere else. The certificate is the name's, whatever the connection goes to. */
export function connectionTo(url: URL, { address, port }: Target): RequestOptions {
  const name = hostOf(url);
  const secure = url.protocol === "https:" ? { servername: isIP(name) ? "" : name } : {};
  return { host: address, port, path: url.pathname + url.search, agent: false, ...secure };
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Without the machine's own list of names, and not in the threads that files and pictures need. */
async function resolveName(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}
