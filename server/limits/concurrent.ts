import { networkOf, wideNetworkOf } from "#domain/limits/rate-limits.server.ts";
import { wideNetworkFactors } from "./table.ts";

/** Counts concurrent uses by key. */
export class ConcurrencyCounter {
  readonly #counts = new Map<string, number>();

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** @returns a function that ends the use; undefined if it would exceed the limit. */
  enter(key: string, max: number, uses = 1): (() => void) | undefined {
    const count = this.#counts.get(key) ?? 0;
    if (count + uses > Math.ceil(max)) return undefined;
    this.#counts.set(key, count + uses);
    let active = true;
    return () => {
      if (!active) return;
      active = false;
      const remaining = (this.#counts.get(key) ?? uses) - uses;
      if (remaining > 0) this.#counts.set(key, remaining);
      else this.#counts.delete(key);
    };
  }
}

/**
 * Counts for the network of an address and, for IPv6, for its /56 and /48, which may have several times as many. @returns as `enter` does.
 */
export function enterNetwork(counter: ConcurrencyCounter, ip: string, max: number): (() => void) | undefined {
  const limits = [{ network: networkOf(ip), factor: 1 }];
  for (const { bits, factor } of wideNetworkFactors) {
    const network = wideNetworkOf(ip, bits);
    if (network) limits.push({ network, factor });
  }
  const releases: (() => void)[] = [];
  const leave = () => {
    for (const release of releases) release();
  };
  for (const { network, factor } of limits) {
    const release = counter.enter(network, max * factor);
    if (!release) {
      leave();
      return undefined;
    }
    releases.push(release);
  }
  return leave;
}
