import { setTimeout as wait } from "node:timers/promises";

/**
 * Looks until nothing is thrown, and returns what was seen. What takes half a minute hangs; a busy machine is only slow.
 * `vi.waitFor` would move a world's clock while it waits.
 */
export async function until<Seen>(look: () => Seen | Promise<Seen>, timeoutMs = 30_000): Promise<Seen> {
  for (const end = performance.now() + timeoutMs; ; await wait(20)) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}
