import { vi } from "vitest";

/**
 * Looks until nothing is thrown, and returns what was seen. What takes half a minute hangs; a busy machine is only slow,
 * and `vi.waitFor` by itself gives up after a second.
 */
export function until<Seen>(look: () => Seen | Promise<Seen>): Promise<Seen> {
  return vi.waitFor(look, { timeout: 30_000, interval: 20 });
}
