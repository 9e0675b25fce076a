const names = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a URL's host is the machine that asks itself. */
export function isThisMachine({ hostname }: URL): boolean {
  return names.has(hostname);
}
