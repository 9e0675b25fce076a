import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import { blockListOf } from "#platform/fetch/public-addresses.ts";

const thisMachine = ["127.0.0.0/8", "::1"];

/**
 * The client's address. Of X-Forwarded-For only what trusted proxies added counts. Proxies on this machine are always trusted.
 * @param proxies - addresses, or ranges such as 10.0.0.0/8, of those on other machines
 */
export function clientAddressReader(proxies: string[] = []): (request: Pick<IncomingMessage, "socket" | "headers">) => string {
  const trusted = blockListOf([...thisMachine, ...proxies]);
  return ({ socket, headers }) => {
    let address = plain(socket.remoteAddress ?? "unknown");
    const header = headers["x-forwarded-for"];
    if (header === undefined) return address;
    const forwarded = String(header).split(",");
    while (isTrusted(trusted, address)) {
      const before = plain(forwarded.pop()?.trim() ?? "");
      if (!before) break;
      address = before;
    }
    return address;
  };
}

export function proxyMatcher(proxies: string[] = []): (address: string) => boolean {
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
