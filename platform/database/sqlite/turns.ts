export class Turns {
  #taken = false;
  #waiting: Array<() => void> = [];

  get taken(): boolean {
    return this.#taken;
  }

  async take(): Promise<void> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
  }

  pass(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }

  passAfterABreak(): void {
    if (this.#waiting.length > 0) setImmediate(() => this.pass());
    else this.#taken = false;
  }
}
