import { FairQueue, QueueFull } from "#platform/queues/fair-queue.ts";

export type SignInQueueLimits = {
  /** Milliseconds. A turn takes no less, which leaves time for other requests. */
  minTurnMs: number;
  /** After this the next turn begins too, so that a slow body delays no one. */
  maxTurnMs: number;
  maxWaitMs: number;
};

const queueLimits = { slots: 1, maxWaiting: 400, maxWaitingPerKey: 250 };

/** Starts requests one after the other, alternating between networks. */
export class SignInQueue {
  readonly #limits: SignInQueueLimits;
  readonly #queue = new FairQueue(queueLimits);

  constructor(limits: SignInQueueLimits) {
    this.#limits = limits;
  }

  /** @returns a function that ends the turn; undefined if too many wait, or for too long. */
  async begin(network: string): Promise<(() => void) | undefined> {
    const { maxWaitMs } = this.#limits;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const waiting = new AbortController();
    const giveUp = setTimeout(() => waiting.abort(), maxWaitMs);
    try {
      await new Promise<void>((begin, refuse) => {
        const turn = () => {
          begin();
          return this.#waitForEnd(ended);
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

  async #waitForEnd(ended: Promise<void>): Promise<void> {
    const { minTurnMs, maxTurnMs } = this.#limits;
    const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    await Promise.all([Promise.race([ended, wait(maxTurnMs)]), wait(minTurnMs)]);
  }
}
