import { BlockList, isIP } from "node:net";

/** Ranges that are not globally reachable (RFC 6890 and its registries). */
const reservedIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
const globalIpv6 = "2000::/3";
const reservedIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

export function blockListOf(ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [ip = "", bits] = range.split("/");
    const family = isIP(ip) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(ip, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return list;
}

const reserved4 = blockListOf(reservedIpv4);
const global6 = blockListOf([globalIpv6]);
const reserved6 = blockListOf(reservedIpv6);

export function isPublicIp(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return !reserved4.check(ip, "ipv4");
  return family === 6 && !ip.includes("%") && global6.check(ip, "ipv6") && !reserved6.check(ip, "ipv6");
}

const synthesized = blockListOf(["64:ff9b::/96"]);

/** Without those that a DNS64 resolver adds for IPv4 addresses (RFC 6147). */
export function withoutSynthesizedIps(ips: string[]): string[] {
  return ips.some((ip) => isIP(ip) === 4) ? ips.filter((ip) => isIP(ip) !== 6 || !synthesized.check(ip, "ipv6")) : ips;
}
