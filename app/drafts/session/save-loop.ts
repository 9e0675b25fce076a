import { type DraftSave, draftTexts, type OtherVersion } from "#domain/drafts/draft.ts";

export type SaveResponse =
  | { kind: "saved"; revision: number; featuredImage: string | null }
  | { kind: "changed"; theirs: OtherVersion | null }
  /** A story has this text already. */
  | { kind: "finished" }
  | { kind: "signed-out" | "someone-else" }
  | { kind: "refused"; message: string }
  | { kind: "unreachable" };

export type SendSave = (save: DraftSave, signal: AbortSignal) => Promise<SaveResponse>;

const typingPauseMs = 600;
const maxWaitMs = 1_500;
const retriesMs = [1_000, 2_000, 2_000, 5_000, 10_000];

/** `paused` while the form is being sent, `left` once the page is gone, `finished` when the post has the text. */
type Phase = "open" | "paused" | "left" | "finished";

type Page = {
  now(): number;
  isUndecided(): boolean;
  /** Sends the draft as it is after `count` changes. Calls `confirm` or `fail`; never throws. */
  send(count: number, signal: AbortSignal): Promise<void>;
};

/** Decides when a page's draft is saved: one save at a time, changes made meanwhile are in the next one. */
export class SaveLoop {
  readonly #page: Page;
  #phase: Phase = "open";
  #changes = 0;
  #confirmed = 0;
  #unsavedSince = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: { done: Promise<void>; abort: AbortController } | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  get changes(): number {
    return this.#changes;
  }

  get isFinished(): boolean {
    return this.#phase === "finished";
  }

  get hasLeft(): boolean {
    return this.#phase === "left";
  }

  get isBehind(): boolean {
    return this.#changes > this.#confirmed && !this.isFinished;
  }

  changed(): void {
    if (this.#changes++ === this.#confirmed) this.#unsavedSince = this.#page.now();
    this.schedule();
  }

  continueFrom(changes: number): void {
    this.#changes = Math.max(this.#changes, changes);
    this.#confirmed = this.#changes;
  }

  /** Sends the last change, which the server may have, with its count: so it is known if a story has it. */
  repeat(): void {
    this.#confirmed = this.#changes - 1;
    this.#unsavedSince = this.#page.now();
    this.schedule();
  }

  /** The server has this many changes. */
  confirm(changes = this.#changes): void {
    this.#confirmed = changes;
    this.#failures = 0;
    this.#unsavedSince = this.#page.now();
  }

  fail(): void {
    this.#failures++;
  }

  open(): void {
    if (this.#phase === "left") this.#phase = "open";
  }

  flush(): void {
    this.#failures = 0;
    if (this.isBehind) void this.#save();
  }

  /** Returns whether the server has everything. */
  async saveNow(): Promise<boolean> {
    this.#failures = 0;
    await this.#sending?.done;
    if (this.isBehind) await this.#save();
    return !this.isBehind;
  }

  /** Saves once more, then not until `open`. */
  async leave(): Promise<void> {
    if (this.isBehind) {
      await this.#sending?.done;
      await this.#save();
    }
    if (!this.isFinished) this.#phase = "left";
    clearTimeout(this.#timer);
  }

  async pause(): Promise<void> {
    if (this.#phase === "open") this.#phase = "paused";
    clearTimeout(this.#timer);
    this.#sending?.abort.abort();
    await this.#sending?.done;
  }

  resume(): void {
    if (this.#phase === "paused") this.#phase = "open";
    this.schedule();
  }

  finish(): void {
    this.#phase = "finished";
    clearTimeout(this.#timer);
  }

  schedule(): void {
    clearTimeout(this.#timer);
    if (!this.isBehind || this.#mustWait()) return;
    const now = this.#page.now();
    const due = nextSaveAt({ now, unsavedSince: this.#unsavedSince, failures: this.#failures });
    this.#timer = setTimeout(() => void this.#save(), Math.max(0, due - now));
  }

  #mustWait(): boolean {
    return this.#sending !== undefined || this.#phase !== "open" || this.#page.isUndecided();
  }

  async #save(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#mustWait()) return;
    const abort = new AbortController();
    const done = this.#page.send(this.#changes, abort.signal);
    this.#sending = { done, abort };
    await done;
    this.#sending = undefined;
    this.schedule();
  }
}

/**
 * When to save next, in milliseconds since 1970: after a pause in typing, at the latest `maxWaitMs` after the first
 * unsaved change, and ever later while saving fails.
 */
function nextSaveAt({ now, unsavedSince, failures }: { now: number; unsavedSince: number; failures: number }): number {
  if (failures > 0) return now + (retriesMs[Math.min(failures, retriesMs.length) - 1] ?? 0);
  return Math.min(now + typingPauseMs, unsavedSince + maxWaitMs);
}

const savePath = "/drafts/save";
const saveTimeoutMs = 15_000;
/** Browsers send at most 64 kB for a page that is being closed; a character takes up to three bytes. */
const keepaliveMaxCharacters = 20_000;

/** Sends a save to the server; every failure is an answer. */
export const sendSave: SendSave = async (save, signal) => {
  const body = new FormData();
  const text = JSON.stringify(save);
  body.set("save", text);
  const eitherSignal = AbortSignal.any([signal, AbortSignal.timeout(saveTimeoutMs)]);
  try {
    const response = await fetch(savePath, { method: "POST", body, signal: eitherSignal, keepalive: text.length < keepaliveMaxCharacters });
    if (response.status === 413) return { kind: "refused", message: draftTexts.tooLong };
    const result = (await response.json()) as SaveResponse;
    return typeof result.kind === "string" ? result : { kind: "unreachable" };
  } catch {
    return { kind: "unreachable" };
  }
};
