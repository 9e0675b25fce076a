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
  readonly #queues = new Map<string, Job[]>();
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
    const queued = this.#queues.get(key)?.length ?? 0;
    if (queued >= this.#limits.maxWaitingPerKey) throw new QueueFull();
    if (this.#waiting >= this.#limits.maxWaiting) this.#makeRoom(queued);
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
      const queue = this.#queues.get(key);
      if (queue) queue.push(job);
      else this.#queues.set(key, [job]);
      this.#waiting++;
    });
  }

  #makeRoom(queued: number): void {
    const [key, queue] = [...this.#queues].reduce((longest, each) => (each[1].length > longest[1].length ? each : longest));
    const last = queue.at(-1);
    if (!last || queue.length <= queued + 1) throw new QueueFull();
    this.#remove(key, last);
    last.refuse(new QueueFull());
  }

  #remove(key: string, job: Job): void {
    const queue = this.#queues.get(key);
    const at = queue?.indexOf(job) ?? -1;
    if (!queue || at < 0) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(key);
    this.#waiting--;
  }

  #beginNext(): void {
    for (const [key, queue] of this.#queues) {
      if (this.#free === 0) return;
      const job = queue[0];
      if (!job || !this.#mayRun(key)) continue;
      this.#enter(key);
      this.#remove(key, job);
      if (this.#queues.delete(key)) this.#queues.set(key, queue);
      job.begin();
    }
  }
}
