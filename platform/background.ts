import type { Log } from "./log.ts";
import { coalesceCalls } from "./queues/coalesce-calls.ts";

export class Background {
  readonly #log: Log;
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  run(name: string, work: () => Promise<void>): Promise<void> {
    const running: Promise<void> = Promise.resolve()
      .then(work)
      .catch((err: unknown) => this.#log.error({ err }, `${name} failed`))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** One run at a time; calls during a run share one more, with the latest argument. */
  repeated<Argument>(name: string, work: (latest: Argument) => Promise<void>): (argument: Argument) => Promise<void> {
    let latest: Argument;
    const runNext = coalesceCalls(() => this.run(name, () => work(latest)));
    return (argument) => {
      latest = argument;
      return this.run(name, runNext);
    };
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
