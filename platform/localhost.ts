const hostnames = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function isLocalhost({ hostname }: URL): boolean {
  return hostnames.has(hostname);
}
