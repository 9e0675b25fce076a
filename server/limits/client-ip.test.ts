import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientIpReader } from "./client-ip.ts";

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

test.each([
  ["a direct visitor", "203.0.113.9", undefined, "203.0.113.9"],
  ["a visitor who claims to be another", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["a visitor through a proxy on this machine", "127.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["one by a socket for both kinds of addresses", "::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["one who claims to be another to the proxy", "::1", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
  ["one through a named proxy", "10.0.0.7", "203.0.113.9", "203.0.113.9"],
  ["one through two of them", "127.0.0.1", "203.0.113.9, 2001:db8::7", "203.0.113.9"],
  ["a client through an unknown proxy", "10.1.0.7", "203.0.113.9", "10.1.0.7"],
  ["this machine itself", "127.0.0.1", undefined, "127.0.0.1"],
  ["a client with an invalid header", "127.0.0.1", "203.0.113.9, unknown", "unknown"],
])("%s", (_who, peer, forwarded, address) => {
  expect(clientIpReader(["10.0.0.0/24", "2001:db8::7"])(from(peer, forwarded))).toBe(address);
});
