import type { Log } from "./log.ts";

export class Background {
  readonly #log: Log;
  readonly #running = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  run(name: string, work: () => Promise<void>, details: object = {}): Promise<void> {
    const running: Promise<void> = Promise.resolve()
      .then(work)
      .catch((err: unknown) => this.#log.error({ err, ...details }, `${name} failed`))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** Work of which one run is under way at a time; requests during a run cause one more. */
export class RepeatedWork {
  readonly #name: string;
  #running: Promise<void> | undefined;
  #isRequested = false;

  constructor(name: string) {
    this.#name = name;
  }

  request(background: Background, work: () => Promise<void>): Promise<void> {
    this.#isRequested = true;
    this.#running ??= background.run(this.#name, async () => {
      try {
        while (this.#isRequested) {
          this.#isRequested = false;
          await work();
        }
      } finally {
        this.#running = undefined;
      }
    });
    return this.#running;
  }
}
