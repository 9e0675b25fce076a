export class QueueFull extends Error {}

export type FairQueueLimits = {
  slots: number;
  waitingAtMost: number;
  waitingPerKey: number;
};

type Job = { begin(): void; refuse(error: Error): void };

/**
 * A bounded queue that serves keys (members, networks) in turn and runs one job of each at a time, so that whoever sends
 * much waits for themselves.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #lines = new Map<string, Job[]>();
  readonly #running = new Set<string>();
  #waiting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `work` in its turn. A job whose `signal` is aborted while it waits is taken out.
   * @throws QueueFull; the signal's reason; whatever the work throws.
   */
  async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#running.has(key) || this.#running.size >= this.#limits.slots) await this.#wait(key, signal);
    else this.#running.add(key);
    try {
      return await work();
    } finally {
      this.#running.delete(key);
      this.#beginNext();
    }
  }

  #wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const ahead = this.#lines.get(key)?.length ?? 0;
    if (ahead >= this.#limits.waitingPerKey) throw new QueueFull();
    if (this.#waiting >= this.#limits.waitingAtMost) this.#makeRoom(ahead);
    return new Promise((begin, refuse) => {
      const stop = () => {
        this.#remove(key, job);
        refuse(signal?.reason);
      };
      const job: Job = {
        begin: () => {
          signal?.removeEventListener("abort", stop);
          begin();
        },
        refuse: (error) => {
          signal?.removeEventListener("abort", stop);
          refuse(error);
        },
      };
      signal?.addEventListener("abort", stop, { once: true });
      const line = this.#lines.get(key);
      if (line) line.push(job);
      else this.#lines.set(key, [job]);
      this.#waiting++;
    });
  }

  #makeRoom(ahead: number): void {
    const [key, line] = [...this.#lines].reduce((longest, each) => (each[1].length > longest[1].length ? each : longest));
    const last = line.at(-1);
    if (!last || line.length <= ahead + 1) throw new QueueFull();
    this.#remove(key, last);
    last.refuse(new QueueFull());
  }

  #remove(key: string, job: Job): void {
    const line = this.#lines.get(key);
    const at = line?.indexOf(job) ?? -1;
    if (!line || at < 0) return;
    line.splice(at, 1);
    if (line.length === 0) this.#lines.delete(key);
    this.#waiting--;
  }

  #beginNext(): void {
    for (const [key, line] of this.#lines) {
      if (this.#running.size >= this.#limits.slots) return;
      const job = line[0];
      if (!job || this.#running.has(key)) continue;
      this.#running.add(key);
      this.#remove(key, job);
      // Whoever was served goes to the end.
      if (this.#lines.delete(key)) this.#lines.set(key, line);
      job.begin();
    }
  }
}
