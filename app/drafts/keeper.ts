import { type Draft, type DraftOrigin, type DraftSave, isBlank, newCopyId, sameDraft, type Theirs } from "#domain/drafts/draft.ts";
import type { Claims } from "./alive.ts";
import type { Entry, Journal } from "./journal.ts";
import { JournalWriter } from "./journal-writer.ts";
import { nextSaveAt } from "./save-schedule.ts";
import type { SendSave } from "./send-save.ts";

/** What the screen shows of a keeper; the text itself is not in it, so that typing renders nothing. */
export type KeeperState = {
  /** The server has not confirmed everything yet. */
  unsaved: boolean;
  /** Why it hasn't, when it isn't just the moment that it takes. */
  trouble: "unreachable" | "signed-out" | "someone-else" | "refused" | null;
  reason: string;
  /** The server has unfinished work of this. */
  kept: boolean;
  /** This browser can't keep it either. */
  journalFails: boolean;
  /** Something else stands where this text would go; null inside means that nothing does any more. */
  conflict: { theirs: Theirs | null } | null;
  /** Text that an earlier page left behind is back. */
  restored: boolean;
  /** Changes when the text was replaced from outside, and fields have to begin anew. */
  generation: number;
  id: string;
};

export type Beginning = Omit<DraftSave, "writer" | "count">;

export type Surroundings = {
  journal: Journal;
  claims: Claims;
  send: SendSave;
  /** Tells the browser's other pages. */
  announce: (saved: DraftSave & { revision: number }) => void;
  /** Does what may wait until the key that was just pressed is on the screen. */
  afterPaint: (work: () => void) => void;
  now: () => number;
};

/**
 * Keeps what is typed on one page: each change in the browser as soon as it is drawn, on the server within two seconds (decision
 * 16). Never overwrites anybody's text; what it can't save it holds until somebody has decided or the server is back.
 */
export class DraftKeeper {
  state: KeeperState;
  #draft: Draft;
  /** Where the text is, while it is newer than the draft's. */
  #read: (() => string) | undefined;
  #base: number | null;
  #postVersion: number | null;
  #writer = newCopyId();
  readonly #userId: string;
  readonly #postId: string | null;
  readonly #with: Surroundings;
  readonly #journal: JournalWriter;
  readonly #listeners = new Set<() => void>();
  /** Counts changes; `#saved` is how many of them the server has. */
  #typed = 0;
  #saved = 0;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: { done: Promise<void>; abort: AbortController } | undefined;
  #failures = 0;
  #held = false;
  /** What was sent when the button was pressed last. */
  #pressed: Draft | undefined;
  #finished = false;
  #left = false;

  constructor({ id, userId, postId, postVersion, base, draft }: Beginning, surroundings: Surroundings) {
    this.#draft = draft;
    this.#base = base;
    this.#userId = userId;
    this.#postId = postId;
    this.#postVersion = postVersion;
    this.#with = surroundings;
    this.#journal = new JournalWriter(surroundings.journal, {
      entry: () => this.#entry(),
      count: () => this.#typed,
      isNeeded: () => this.#typed > this.#saved && !this.#finished,
      wrote: (failed) => this.#show({ journalFails: failed }),
    });
    this.state = {
      ...{ id, unsaved: false, trouble: null, reason: "", journalFails: false, kept: base !== null },
      ...{ conflict: null, restored: false, generation: 0 },
    };
  }

  get draft(): Draft {
    if (this.#read) this.#draft = { ...this.#draft, content: this.#read() };
    this.#read = undefined;
    return this.#draft;
  }

  get postVersion(): number | null {
    return this.#postVersion;
  }

  get isNew(): boolean {
    return this.#postId === null;
  }

  get origin(): DraftOrigin {
    return { id: this.state.id, base: this.#base, writer: this.#writer };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  change(part: Partial<Draft>): void {
    this.#draft = { ...this.draft, ...part };
    this.#count();
  }

  /**
   * A key was pressed in the text. It is read when it is needed: a long one is too long to be read for every key. That it is
   * unsaved holds at once; showing and writing it down would hold up the letter on the screen.
   */
  type(read: () => string): void {
    this.#read = read;
    this.#mark();
    this.#with.afterPaint(() => this.#follow());
  }

  #count(): void {
    this.#mark();
    this.#follow();
  }

  #mark(): void {
    if (this.#typed++ === this.#saved) this.#since = this.#with.now();
    if (!this.state.unsaved) this.state = { ...this.state, unsaved: true };
    this.#schedule();
  }

  #follow(): void {
    this.#tell();
    this.#journal.write();
  }

  /** The page may be gone in the next instant: what it holds is written before this returns, and sent. */
  leaveSoon(): void {
    if (this.#typed > this.#saved && !this.#finished) this.#with.journal.putNow(this.#entry());
    this.flush();
  }

  /** Sends what is there now: the connection is back, or somebody looks again. */
  flush(): void {
    this.#failures = 0;
    this.#journal.write();
    if (this.#typed > this.#saved) void this.#save();
  }

  /** The person has gone to another page of the site: one last save, and no try after that. The journal has what failed. */
  async leave(): Promise<void> {
    if (this.#typed > this.#saved && !this.#finished) {
      await this.#sending?.done;
      await this.#save();
    }
    this.#left = true;
    clearTimeout(this.#timer);
    this.#with.claims.release(this.#writer);
  }

  /** For the button: saves nothing more until `resume`, and waits until what is on its way has arrived or is cut off. */
  async hold(): Promise<void> {
    this.#held = true;
    this.#pressed = this.draft;
    clearTimeout(this.#timer);
    this.#sending?.abort.abort();
    await this.#sending?.done;
  }

  resume(): void {
    this.#held = false;
    this.#schedule();
  }

  /** The story has it: nothing is kept here any more. */
  async finish(): Promise<void> {
    this.#finished = true;
    clearTimeout(this.#timer);
    this.#show({ unsaved: false });
    await this.#journal.forget();
    this.#with.claims.release(this.#writer);
  }

  /**
   * Takes up what pages that are gone have left behind. `anyNew`: the newest new story that this browser holds will do,
   * when it is younger than what the server has (`since`).
   */
  async start({ copy, anyNew, since }: { copy: (Draft & { revision: number; writer: string }) | null; anyNew: boolean; since: number }) {
    this.#left = false;
    const { journal, claims } = this.#with;
    void claims.claim(this.#writer);
    const wanted = (entry: Entry) =>
      entry.writer !== this.#writer &&
      (entry.id === this.state.id || (anyNew && entry.postId === null && this.isNew && entry.typedAt > since));
    const entries = (await journal.entries(this.#userId).catch(() => [])).filter(wanted);
    entries.sort((one, other) => other.typedAt - one.typedAt);
    const before = this.#typed;
    await Promise.all(
      entries.map(async (entry, index) => {
        if (claims.canTell && !(await claims.claim(entry.writer))) return;
        const isFirst = index === 0 && this.#typed === before && !this.#left;
        if (isFirst) this.#takeUp(entry, entry.id === this.state.id ? copy : undefined);
        else await this.#settle(entry);
      }),
    );
  }

  /** Left behind as well, but not what this page goes on with. */
  async #settle(entry: Entry): Promise<void> {
    if (sameDraft(entry.draft, this.draft, false) || isBlank(entry.draft)) await this.#with.journal.remove(entry).catch(() => {});
    else await this.#setAside(entry);
    this.#with.claims.release(entry.writer);
  }

  /** `copy` is what the server has of it; undefined when it was not asked. */
  #takeUp(entry: Entry, copy: (Draft & { revision: number; writer: string }) | null | undefined): void {
    const { claims, journal } = this.#with;
    if (claims.canTell) {
      claims.release(this.#writer);
      this.#writer = entry.writer;
    }
    this.#typed = Math.max(this.#typed, entry.count);
    this.#saved = this.#typed;
    const isSame = copy !== undefined && copy !== null && sameDraft(copy, entry.draft, this.isNew);
    if (isSame || !claims.canTell) void journal.remove(entry).catch(() => {});
    if (isSame) return;
    const isBuiltUpon = copy === undefined || (copy ? copy.revision === entry.base || copy.writer === entry.writer : entry.base === null);
    this.#read = undefined;
    this.#draft = entry.draft;
    this.#base = entry.base;
    this.#postVersion = entry.postVersion;
    this.#show({ id: entry.id, restored: true, generation: this.state.generation + 1 });
    if (!isBuiltUpon) {
      const theirs: Theirs | null = copy ? { ...copy, kind: "draft", number: copy.revision, by: null } : null;
      this.#show({ conflict: { theirs } });
    }
    this.#count();
  }

  /** A text that has no other place becomes an unfinished story of its own. */
  async #setAside(entry: Entry): Promise<boolean> {
    const { send, journal } = this.#with;
    const apart = { ...entry, id: newCopyId(), base: null, postId: null, postVersion: null };
    const answer = await send(apart, new AbortController().signal);
    if (answer.kind === "saved") await journal.remove(entry).catch(() => {});
    return answer.kind === "saved";
  }

  /** Mine is what counts, now that theirs was seen. */
  keepMine(): void {
    const theirs = this.state.conflict?.theirs;
    if (theirs?.kind === "story") this.#postVersion = theirs.number;
    else this.#base = theirs?.number ?? null;
    this.#show({ conflict: null });
    this.#count();
    this.flush();
  }

  keepTheirs(): void {
    const theirs = this.state.conflict?.theirs;
    if (!theirs) return;
    this.#replace(theirs);
    if (theirs.kind === "draft") {
      this.#base = theirs.number;
      this.#allSaved();
    } else {
      this.#postVersion = theirs.number;
      this.#count();
    }
  }

  /** Theirs stays where it is, mine becomes an unfinished story. False when that could not be saved; nothing changes then. */
  async keepBoth(): Promise<boolean> {
    const kept = await this.#setAside(this.#entry());
    if (kept) this.keepTheirs();
    return kept;
  }

  /** Pressing the button was answered with what stands there instead. */
  meet(theirs: Theirs | null): void {
    this.#show({ conflict: { theirs } });
    this.resume();
  }

  /** Another page of this browser saved the same draft; without changes of its own this one follows. */
  hear({ id, writer, draft, revision }: DraftSave & { revision: number }): void {
    if (id !== this.state.id || writer === this.#writer || this.#typed > this.#saved || this.#finished) return;
    this.#base = revision;
    this.#replace(draft);
  }

  #replace({ title, slug, slugTyped, content, status, featuredImage }: Draft): void {
    this.#read = undefined;
    this.#draft = { title, slug, slugTyped, content, status, featuredImage };
    this.#show({ conflict: null, generation: this.state.generation + 1 });
  }

  #entry(): Entry {
    const { id, base, writer } = this.origin;
    const of = { count: this.#typed, userId: this.#userId, postId: this.#postId, postVersion: this.#postVersion };
    return { id, base, writer, ...of, draft: this.draft, typedAt: this.#with.now() };
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#typed === this.#saved || this.#mustWait()) return;
    const now = this.#with.now();
    const due = nextSaveAt({ now, unsavedSince: this.#since, failures: this.#failures });
    this.#timer = setTimeout(() => void this.#save(), Math.max(0, due - now));
  }

  /** A comparison that nobody has decided yet stops the saves; one with the story doesn't, as the copy is one's own. */
  #mustWait(): boolean {
    const { conflict } = this.state;
    const undecided = conflict !== null && conflict.theirs?.kind !== "story";
    return this.#sending !== undefined || this.#held || this.#finished || this.#left || undecided;
  }

  async #save(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#mustWait()) return;
    const abort = new AbortController();
    const done = this.#sendOnce(abort.signal);
    this.#sending = { done, abort };
    await done;
    this.#sending = undefined;
    this.#schedule();
  }

  async #sendOnce(signal: AbortSignal): Promise<void> {
    const upTo = this.#typed;
    const { typedAt, ...save } = this.#entry();
    const answer = await this.#with.send(save, signal);
    if (this.#finished) return;
    if (answer.kind === "saved") {
      this.#base = answer.revision;
      this.#failures = 0;
      // A picture that was swept before its save came is no longer there.
      if (!answer.featuredImage && this.draft.featuredImage === save.draft.featuredImage)
        this.#draft = { ...this.draft, featuredImage: null };
      this.#saved = upTo;
      this.#show({ kept: true });
      this.#since = this.#with.now();
      if (this.#typed === upTo) this.#allSaved();
      else this.#show({ trouble: null });
      this.#with.announce({ ...save, revision: answer.revision });
    } else if (answer.kind === "changed" && answer.theirs === null && this.#mayBePublished(save.draft)) {
      this.#failures++;
      this.#show({ trouble: "unreachable" });
    } else if (answer.kind === "changed") this.#show({ conflict: { theirs: answer.theirs }, trouble: null });
    else if (!signal.aborted) {
      this.#failures++;
      this.#show({ trouble: answer.kind, reason: answer.kind === "refused" ? answer.message : "" });
    }
  }

  /**
   * The button's answer was lost, and the unfinished story is gone: it has become one. Pressing again leads there. Its
   * picture may still have been on its way when the button was pressed, and went with the form.
   */
  #mayBePublished(draft: Draft): boolean {
    const pressed = this.#pressed;
    return pressed !== undefined && sameDraft(pressed, { ...draft, featuredImage: pressed.featuredImage }, this.isNew);
  }

  #allSaved(): void {
    this.#saved = this.#typed;
    this.#show({ unsaved: false, trouble: null });
    void this.#journal.forget();
  }

  #show(part: Partial<KeeperState>): void {
    const entries = Object.entries(part) as [keyof KeeperState, unknown][];
    if (entries.every(([name, value]) => this.state[name] === value)) return;
    this.state = { ...this.state, ...part };
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
