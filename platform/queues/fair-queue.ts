export class QueueFull extends Error {}

export type FairQueueLimits = {
  slots: number;
  maxWaiting: number;
  maxWaitingPerKey: number;
  maxRunningPerKey?: number;
};

type Job = { begin(): void; refuse(error: Error): void };

/** Serves keys (members, networks) round-robin, with bounded waiting. */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #lines = new Map<string, Job[]>();
  readonly #running = new Map<string, number>();
  #free: number;
  #waiting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
    this.#free = limits.slots;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Aborting `signal` removes a waiting job. @throws QueueFull, the signal's reason, or what `work` throws. */
  async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#mayRun(key)) this.#enter(key);
    else await this.#wait(key, signal);
    try {
      return await work();
    } finally {
      this.#leave(key);
      this.#beginNext();
    }
  }

  #mayRun(key: string): boolean {
    return this.#free > 0 && (this.#running.get(key) ?? 0) < (this.#limits.maxRunningPerKey ?? 1);
  }

  #enter(key: string): void {
    this.#free--;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
  }

  #leave(key: string): void {
    this.#free++;
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
  }

  #wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const ahead = this.#lines.get(key)?.length ?? 0;
    if (ahead >= this.#limits.maxWaitingPerKey) throw new QueueFull();
    if (this.#waiting >= this.#limits.maxWaiting) this.#makeRoom(ahead);
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
      if (this.#free === 0) return;
      const job = line[0];
      if (!job || !this.#mayRun(key)) continue;
      this.#enter(key);
      this.#remove(key, job);
      if (this.#lines.delete(key)) this.#lines.set(key, line);
      job.begin();
    }
  }
}
