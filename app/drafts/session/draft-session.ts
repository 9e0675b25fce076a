import { type Draft, type DraftOrigin, type DraftSave, newCopyId, type OtherVersion, sameDraft } from "#domain/drafts/draft.ts";
import { type Entry, type Journal, JournalWriter } from "./journal.ts";
import {
  adoptEntries,
  type Claims,
  type CopyOnServer,
  entriesLeftBehind,
  fork,
  isBuiltUpon,
  type ServerCopy,
  theirsOf,
} from "./recovery.ts";
import { type SaveAnswer, SaveLoop, type SendSave } from "./save-loop.ts";
import { type SessionState, StateStore } from "./session-state.ts";

/** What a session needs of the browser and the server. */
export type DraftEnvironment = {
  journal: Journal;
  claims: Claims;
  send: SendSave;
  /** Tells the browser's other pages of a save. */
  announce: (saved: DraftSave & { revision: number }) => void;
  /** Runs work when the key that was just pressed is on the screen. */
  afterPaint: (work: () => void) => void;
  now: () => number;
};

export type InitialDraft = Omit<DraftSave, "writer" | "count">;

/**
 * The draft of one open page. Each change is in the journal as soon as it is drawn, and on the server within two seconds
 * (docs/decisions/0018-drafts.md). Never overwrites another text: a conflict waits for the writer's choice.
 */
export class DraftSession {
  #draft: Draft;
  #read: (() => string) | undefined;
  #base: number | null;
  #postVersion: number | null;
  #writer = newCopyId();
  #submitted: Draft | undefined;
  readonly #userId: string;
  readonly #postId: string | null;
  readonly #environment: DraftEnvironment;
  readonly #state: StateStore;
  readonly #saves: SaveLoop;
  readonly #journal: JournalWriter;

  constructor({ id, userId, postId, postVersion, base, draft }: InitialDraft, environment: DraftEnvironment) {
    this.#draft = draft;
    this.#base = base;
    this.#userId = userId;
    this.#postId = postId;
    this.#postVersion = postVersion;
    this.#environment = environment;
    this.#state = new StateStore(id, base !== null);
    this.#saves = new SaveLoop({
      now: environment.now,
      isUndecided: () => this.#isUndecided(),
      send: (count, signal) => this.#send(count, signal),
    });
    this.#journal = new JournalWriter(environment.journal, {
      entry: () => this.#entry(),
      count: () => this.#saves.changes,
      isNeeded: () => this.#saves.isBehind,
      wrote: (failed) => this.#state.set({ journalFails: failed }),
    });
  }

  get state(): SessionState {
    return this.#state.current;
  }

  subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);

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

  change(part: Partial<Draft>): void {
    this.#draft = { ...this.draft, ...part };
    this.#changed();
  }

  /**
   * The text was changed. Reading a long text for every key would take too long, so it is read when needed. It counts as unsaved at once;
   * rendering and the journal wait until the key is on the screen.
   */
  type(read: () => string): void {
    this.#read = read;
    this.#count();
    this.#environment.afterPaint(() => this.#showAndWrite());
  }

  #changed(): void {
    this.#count();
    this.#showAndWrite();
  }

  #count(): void {
    this.#state.setUnsaved();
    this.#saves.changed();
  }

  #showAndWrite(): void {
    this.#state.render();
    this.#journal.write();
  }

  saveBeforeUnload(): void {
    if (this.#saves.isBehind) this.#environment.journal.putNow(this.#entry());
    this.flush();
  }

  flush(): void {
    this.#journal.write();
    this.#saves.flush();
  }

  /** Returns whether the server has the text. */
  async saveNow(): Promise<boolean> {
    this.#journal.write();
    return this.#saves.saveNow();
  }

  /** For a move to another page of the site: saves once more, without retries. What fails stays in the journal. */
  async leave(): Promise<void> {
    await this.#saves.leave();
    this.#environment.claims.release(this.#writer);
  }

  /** Before the form is sent: aborts the running save and begins no other. */
  async hold(): Promise<void> {
    this.#submitted = this.draft;
    await this.#saves.hold();
  }

  resume(): void {
    this.#saves.resume();
  }

  /** The post has the text, or it was discarded: nothing of it stays in the browser. */
  async finish(): Promise<void> {
    this.#saves.finish();
    this.#state.set({ unsaved: false });
    await this.#journal.forget();
    this.#environment.claims.release(this.#writer);
  }

  /**
   * Restores what closed pages left in the journal. `anyNew`: the newest new story in it may be shown, if it is newer than the server's
   * (`since`).
   */
  async start({ copy, anyNew, since }: { copy: ServerCopy | null; anyNew: boolean; since: number }): Promise<void> {
    this.#saves.open();
    void this.#environment.claims.claim(this.#writer);
    const changesBefore = this.#saves.changes;
    const newSince = anyNew && this.isNew ? since : null;
    const entries = await entriesLeftBehind(this.#environment.journal, { ...this.origin, userId: this.#userId, newSince });
    const page = {
      writer: this.#writer,
      draft: () => this.draft,
      isUntouched: () => this.#saves.changes === changesBefore && !this.#saves.hasLeft,
      adopt: (entry: Entry, onServer: CopyOnServer) => this.#adopt(entry, onServer),
    };
    await adoptEntries(entries, page, this.#environment, ({ id }) => {
      if (id !== this.state.id) return { kind: "unknown" };
      return copy ? { kind: "found", copy } : { kind: "none" };
    });
  }

  #adopt(entry: Entry, onServer: CopyOnServer): void {
    const { claims, journal } = this.#environment;
    if (claims.canTell) {
      claims.release(this.#writer);
      this.#writer = entry.writer;
    }
    this.#saves.continueFrom(entry.count);
    const isSaved = onServer.kind === "found" && sameDraft(onServer.copy, entry.draft, this.isNew);
    if (isSaved || !claims.canTell) void journal.remove(entry).catch(() => {});
    if (isSaved) return;
    this.#base = entry.base;
    this.#postVersion = entry.postVersion;
    this.#replace(entry.draft, { id: entry.id, restored: true });
    if (!isBuiltUpon(entry, onServer)) this.#state.set({ conflict: { theirs: theirsOf(onServer) } });
    this.#changed();
  }

  keepMine(): void {
    const theirs = this.state.conflict?.theirs;
    if (theirs?.kind === "story") this.#postVersion = theirs.number;
    else this.#base = theirs?.number ?? null;
    this.#state.set({ conflict: null });
    this.#changed();
    this.flush();
  }

  keepTheirs(): void {
    const theirs = this.state.conflict?.theirs;
    if (!theirs) return;
    this.#replace(theirs, { conflict: null });
    if (theirs.kind === "draft") {
      this.#base = theirs.number;
      this.#saves.confirm();
      this.#showSaved();
    } else {
      this.#postVersion = theirs.number;
      this.#changed();
    }
  }

  async keepBoth(): Promise<boolean> {
    const forked = await fork(this.#entry(), this.#environment);
    if (forked) this.keepTheirs();
    return forked;
  }

  showConflict(theirs: OtherVersion | null): void {
    this.#state.set({ conflict: { theirs } });
    this.resume();
  }

  /** Another page of this browser saved the same draft: shown here unless this page has unsaved changes. */
  followOtherPage({ id, writer, draft, revision }: DraftSave & { revision: number }): void {
    if (id !== this.state.id || writer === this.#writer || this.#saves.isBehind || this.#saves.isFinished) return;
    this.#base = revision;
    this.#replace(draft, { conflict: null });
  }

  #replace({ title, slug, slugTyped, content, status, featuredImage }: Draft, shown: Partial<SessionState>): void {
    this.#read = undefined;
    this.#draft = { title, slug, slugTyped, content, status, featuredImage };
    this.#state.set({ ...shown, generation: this.state.generation + 1 });
  }

  #entry(): Entry {
    const { id, base, writer } = this.origin;
    const of = { count: this.#saves.changes, userId: this.#userId, postId: this.#postId, postVersion: this.#postVersion };
    return { id, base, writer, ...of, draft: this.draft, typedAt: this.#environment.now() };
  }

  /** A conflict with the post itself doesn't stop saving: the working copy is the writer's own. */
  #isUndecided(): boolean {
    const { conflict } = this.state;
    return conflict !== null && conflict.theirs?.kind !== "story";
  }

  async #send(count: number, signal: AbortSignal): Promise<void> {
    const { typedAt: _, ...save } = this.#entry();
    const answer = await this.#environment.send(save, signal);
    if (this.#saves.isFinished) return;
    if (answer.kind === "saved") this.#saved(save, answer, count);
    else if (answer.kind === "changed" && answer.theirs === null && this.#mayBePublished(save.draft)) {
      this.#saves.fail();
      this.#state.set({ trouble: "unreachable" });
    } else if (answer.kind === "changed") this.#state.set({ conflict: { theirs: answer.theirs }, trouble: null });
    else if (!signal.aborted) {
      this.#saves.fail();
      this.#state.set({ trouble: answer.kind, reason: answer.kind === "refused" ? answer.message : "" });
    }
  }

  #saved(save: DraftSave, { revision, featuredImage }: Extract<SaveAnswer, { kind: "saved" }>, count: number): void {
    this.#base = revision;
    // Its picture was swept before this save arrived.
    if (!featuredImage && this.draft.featuredImage === save.draft.featuredImage) this.#draft = { ...this.draft, featuredImage: null };
    this.#saves.confirm(count);
    this.#state.set({ kept: true });
    if (this.#saves.isBehind) this.#state.set({ trouble: null });
    else this.#showSaved();
    this.#environment.announce({ ...save, revision });
  }

  #mayBePublished(draft: Draft): boolean {
    const pressed = this.#submitted;
    return pressed !== undefined && sameDraft(pressed, { ...draft, featuredImage: pressed.featuredImage }, this.isNew);
  }

  #showSaved(): void {
    this.#state.set({ unsaved: false, trouble: null });
    void this.#journal.forget();
  }
}
