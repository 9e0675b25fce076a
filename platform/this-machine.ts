const names = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function isThisMachine({ hostname }: URL): boolean {
  return names.has(hostname);
}
