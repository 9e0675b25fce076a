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
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(address, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return list;
}

const reserved4 = blockListOf(reservedIpv4);
const global6 = blockListOf([globalIpv6]);
const reserved6 = blockListOf(reservedIpv6);

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reserved4.check(address, "ipv4");
  return family === 6 && !address.includes("%") && global6.check(address, "ipv6") && !reserved6.check(address, "ipv6");
}
