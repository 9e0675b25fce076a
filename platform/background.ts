import type { Log } from "./log.ts";

export class Background {
  readonly #log: Log;
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Failures are logged. */
  run(name: string, work: () => Promise<void>, details: object = {}): void {
    const running: Promise<void> = Promise.resolve()
      .then(work)
      .catch((err: unknown) => this.#log.error({ err, ...details }, `${name} failed`))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
