import { setTimeout as wait } from "node:timers/promises";

/**
 * Calls `read` until it doesn't throw, and returns its value. Half a minute means a hang, not a busy machine.
 * `vi.waitFor` would move a world's clock while it waits.
 */
export async function until<Value>(read: () => Value | Promise<Value>, timeoutMs = 30_000): Promise<Value> {
  for (const end = performance.now() + timeoutMs; ; await wait(20)) {
    try {
      return await read();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}
