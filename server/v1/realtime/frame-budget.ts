/** The units of frames that one connection may spend in a minute. */
export class FrameBudget {
  readonly #unitsPerMinute: number;
  #minute = { from: 0, units: 0 };
  #timesOver = 0;

  constructor(unitsPerMinute: number) {
    this.#unitsPerMinute = unitsPerMinute;
  }

  spend(units: number): "within" | "over" | "over again" {
    const now = performance.now();
    if (now - this.#minute.from > 60_000) this.#minute = { from: now, units: 0 };
    this.#minute.units += units;
    if (this.#minute.units <= this.#unitsPerMinute) return "within";
    return ++this.#timesOver > 1 ? "over again" : "over";
  }
}
