import { FairQueue, QueueFull } from "#platform/queues/fair-queue.ts";

export type TurnLimits = {
  /** Milliseconds that a turn takes at least, so that a crowd leaves room for everybody else. */
  minTurnMs: number;
  /** After so long the next one begins beside it: whoever sends a body slowly holds up nobody. */
  maxTurnMs: number;
  maxWaitMs: number;
};

const queueLimits = { slots: 1, waitingAtMost: 400, waitingPerKey: 250 };

/** Requests that come at once begin one after the other, those of several networks in turn. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #queue = new FairQueue(queueLimits);

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Waits for a turn and returns what ends it; undefined when too many wait, or for too long. */
  async begin(network: string): Promise<(() => void) | undefined> {
    const { maxWaitMs } = this.#limits;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const waiting = new AbortController();
    const giveUp = setTimeout(() => waiting.abort(), maxWaitMs);
    try {
      await new Promise<void>((begin, refuse) => {
        const turn = () => {
          begin();
          return this.#last(ended);
        };
        this.#queue.run(network, turn, waiting.signal).catch(refuse);
      });
      return end;
    } catch (error) {
      if (error instanceof QueueFull || waiting.signal.aborted) return undefined;
      throw error;
    } finally {
      clearTimeout(giveUp);
    }
  }

  async #last(ended: Promise<void>): Promise<void> {
    const { minTurnMs, maxTurnMs } = this.#limits;
    let ending: NodeJS.Timeout | undefined;
    const atMost = new Promise<void>((resolve) => {
      ending = setTimeout(resolve, maxTurnMs);
    });
    const atLeast = new Promise<void>((resolve) => setTimeout(resolve, minTurnMs));
    await Promise.all([Promise.race([ended, atMost]), atLeast]);
    clearTimeout(ending);
  }
}
