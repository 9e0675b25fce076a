import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import { blockListOf } from "#platform/fetch/public-addresses.ts";

const thisMachine = ["127.0.0.0/8", "::1"];

/**
 * Where a request comes from. Proxies are trusted: the last address they added is the one they saw themselves, the ones
 * before are the sender's own claims. A proxy on this machine needs no mention.
 * @param proxies addresses, or ranges as 10.0.0.0/8, of those on other machines
 */
export function clientAddressReader(proxies: string[] = []): (request: Pick<IncomingMessage, "socket" | "headers">) => string {
  const trusted = blockListOf([...thisMachine, ...proxies]);
  return ({ socket, headers }) => {
    let address = plain(socket.remoteAddress ?? "unknown");
    const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
    while (isTrusted(trusted, address)) {
      const before = plain(forwarded.pop()?.trim() ?? "");
      if (!before) break;
      address = before;
    }
    return address;
  };
}

export function proxyTest(proxies: string[] = []): (address: string) => boolean {
  const trusted = blockListOf([...thisMachine, ...proxies]);
  return (address) => isTrusted(trusted, plain(address));
}

function isTrusted(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
}

function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}
