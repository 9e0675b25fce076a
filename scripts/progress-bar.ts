import { fullCount, pluralize } from "#domain/format.ts";

/** Where the move prints its progress. */
export type Console = { isTTY?: boolean; columns?: number; write(text: string): unknown };

const width = 24;
const redrawIntervalMs = 100;

/** A progress bar on a terminal, whole lines elsewhere. */
export class ProgressBar {
  readonly #console: Console;
  #drawn = 0;
  #shown = false;

  constructor(console: Console) {
    this.#console = console;
  }

  show(name: string, done: number, total: number): void {
    if (!this.#console.isTTY || Date.now() - this.#drawn < redrawIntervalMs) return;
    this.#drawn = Date.now();
    this.#shown = true;
    const share = total === 0 ? 1 : Math.min(done / total, 1);
    const filled = Math.round(share * width);
    const bar = "█".repeat(filled) + "░".repeat(width - filled);
    const text = `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${name}  ${fullCount(done)} of ${fullCount(total)}`;
    this.#console.write(`\r\x1b[K${text.slice(0, (this.#console.columns || 80) - 1)}`);
  }

  /** For work of unknown size. */
  readonly report = (name: string, done: number, total: number): void => this.show(name, done, Math.max(done, total));

  line(text: string): void {
    this.#console.write(`${this.#shown ? "\r\x1b[K" : ""}${text}\n`);
    this.#shown = false;
  }
}

/** `1 file`, `2,000 files` */
export function countText(count: number, noun: string): string {
  return pluralize(count, noun, `${noun}s`, fullCount);
}
