import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import { blockListOf } from "#platform/fetch/public-ips.ts";

const thisMachine = ["127.0.0.0/8", "::1"];

/**
 * The client's address. Of X-Forwarded-For only what trusted proxies added counts. Proxies on this machine are always trusted.
 * @param proxies - addresses, or ranges such as 10.0.0.0/8, of those on other machines
 */
export function clientIpReader(proxies: string[] = []): (request: Pick<IncomingMessage, "socket" | "headers">) => string {
  const trusted = blockListOf([...thisMachine, ...proxies]);
  return ({ socket, headers }) => {
    let ip = plain(socket.remoteAddress ?? "unknown");
    const header = headers["x-forwarded-for"];
    if (header === undefined) return ip;
    const forwarded = String(header).split(",");
    while (isTrusted(trusted, ip)) {
      const before = plain(forwarded.pop()?.trim() ?? "");
      if (!before) break;
      ip = before;
    }
    return ip;
  };
}

export function proxyMatcher(proxies: string[] = []): (ip: string) => boolean {
  const trusted = blockListOf([...thisMachine, ...proxies]);
  return (ip) => isTrusted(trusted, plain(ip));
}

function isTrusted(list: BlockList, ip: string): boolean {
  const version = isIP(ip);
  return version !== 0 && list.check(ip, version === 6 ? "ipv6" : "ipv4");
}

function plain(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/, "");
}
