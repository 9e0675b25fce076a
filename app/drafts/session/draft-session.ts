import { Listeners } from "#app/browser/listeners.ts";
import { awaitsPicture, withoutPlaceholders } from "#app/posts/editor/placeholders.ts";
import { type Draft, type DraftBase, type DraftSave, isSameDraft, newCopyId, type OtherVersion } from "#domain/drafts/draft.ts";
import { entriesOfOtherPages, type JournalEntry, JournalWriter } from "./journal.ts";
import type { CopyOnServer, DraftEnvironment, ServerCopy } from "./recovery.ts";
import { fork, isBasedOn, isSameText, otherVersionOf, recoverEntries } from "./recovery.ts";
import { SaveLoop, type SaveResponse } from "./save-loop.ts";

/** What the screen shows of a session. Without the text, so that typing renders nothing. */
export type SessionState = {
  id: string;
  unsaved: boolean;
  /** The server has a working copy. */
  hasWorkingCopy: boolean;
  /** Why the last save failed. */
  trouble: "unreachable" | "signed-out" | "someone-else" | "refused" | null;
  reason: string;
  /** The journal can't be written. */
  journalFails: boolean;
  /** The text was changed elsewhere; `theirs` is null if it was published or discarded there. */
  conflict: { theirs: OtherVersion | null } | null;
  restored: boolean;
  /** Counts the times that the text was replaced: a key for the fields. */
  generation: number;
};

const initialState = { unsaved: false, trouble: null, reason: "", journalFails: false, conflict: null, restored: false, generation: 0 };

export type InitialDraft = Omit<DraftSave, "writer" | "count">;

/**
 * The draft of one open page. Each change is in the journal as soon as it is drawn, and on the server within two seconds
 * (docs/decisions/0018-drafts.md). Never overwrites another text: a conflict waits for the writer's choice.
 */
export class DraftSession {
  #draft: Draft;
  #read: (() => string) | undefined;
  #base: number | null;
  #writer = newCopyId();
  /** What the page showed before it adopted the entry of a closed page. */
  #replaced: JournalEntry | undefined;
  #submitted: Draft | undefined;
  readonly #post: Pick<DraftSave, "userId" | "postId" | "postVersion">;
  readonly #environment: DraftEnvironment;
  #state: SessionState;
  readonly #changes = new Listeners();
  readonly subscribe = this.#changes.add;
  readonly #saves: SaveLoop;
  readonly #journal: JournalWriter;

  constructor({ id, userId, postId, postVersion, base, draft }: InitialDraft, environment: DraftEnvironment) {
    this.#draft = draft;
    this.#base = base;
    this.#post = { userId, postId, postVersion };
    this.#environment = environment;
    this.#state = { ...initialState, id, hasWorkingCopy: base !== null };
    this.#saves = new SaveLoop({
      now: environment.now,
      isUndecided: () => this.#isUndecided(),
      send: (count, signal) => this.#send(count, signal),
    });
    this.#journal = new JournalWriter(environment.journal, {
      entry: () => this.#entry(),
      count: () => this.#saves.changes,
      isNeeded: () => this.#saves.isBehind,
      wrote: (failed) => this.#show({ journalFails: failed }),
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  get draft(): Draft {
    if (this.#read) this.#draft = { ...this.#draft, content: this.#read() };
    this.#read = undefined;
    return this.#draft;
  }

  get post(): Pick<DraftSave, "userId" | "postVersion"> {
    return this.#post;
  }

  get draftBase(): DraftBase {
    return { id: this.state.id, base: this.#base, writer: this.#writer, count: this.#saves.changes };
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
    this.#changed(this.#environment.afterPaint);
  }

  #changed(schedule = (work: () => void) => work()): void {
    if (!this.#state.unsaved) this.#state = { ...this.#state, unsaved: true };
    this.#saves.changed();
    schedule(() => {
      this.#render();
      this.#journal.write();
    });
  }

  #show(part: Partial<SessionState>): void {
    const entries = Object.entries(part) as [keyof SessionState, unknown][];
    if (entries.every(([name, value]) => this.#state[name] === value)) return;
    this.#state = { ...this.#state, ...part };
    this.#render();
  }

  #render(): void {
    this.#changes.notify();
  }

  saveBeforeUnload(): void {
    if (this.#saves.isBehind) this.#environment.journal.putSync(this.#entry());
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

  /** For a move to another page of the site: saves once more, without retries. A failed save stays in the journal. */
  async leave(): Promise<void> {
    await this.#saves.leave();
    this.#environment.claims.release(this.#writer);
  }

  /** Before the form is sent: aborts the running save and begins no other. */
  async pause(): Promise<void> {
    this.#replaced = undefined;
    this.#submitted = this.draft;
    await this.#saves.pause();
  }

  resume(): void {
    this.#saves.resume();
  }

  /** The post has the text, or it was discarded: nothing of it stays in the browser. */
  async finish(): Promise<void> {
    this.#saves.finish();
    this.#show({ unsaved: false });
    await this.#journal.forget();
    this.#environment.claims.release(this.#writer);
  }

  /**
   * Restores what closed pages left in the journal. `continuesLatest`: the newest new story in it may be shown, if it is newer than
   * the server's (`since`).
   */
  async start({ copy, continuesLatest, since }: { copy: ServerCopy | null; continuesLatest: boolean; since: number }): Promise<void> {
    this.#saves.open();
    void this.#environment.claims.claim(this.#writer);
    const changesBefore = this.#saves.changes;
    const page = { id: this.state.id, userId: this.#post.userId, writer: this.#writer, newSince: continuesLatest ? since : null };
    const entries = await entriesOfOtherPages(this.#environment.journal, page);
    if (entries.length === 0) return;
    const isUntouched = () => this.#saves.changes === changesBefore && !this.#saves.hasLeft;
    const adopt = (entry: JournalEntry, onServer: CopyOnServer) => this.#adopt(entry, onServer);
    await recoverEntries(entries, { id: page.id, copy, draft: () => this.draft, isUntouched, adopt }, this.#environment);
  }

  #adopt(entry: JournalEntry, onServer: CopyOnServer): void {
    const { claims, journal } = this.#environment;
    if (claims.isSupported) {
      claims.release(this.#writer);
      this.#writer = entry.writer;
    }
    this.#saves.continueFrom(entry.count);
    const isSaved = onServer.kind === "found" && isSameDraft(onServer.copy, entry.draft);
    if (isSaved || !claims.isSupported) void journal.remove(entry).catch(() => {});
    if (isSaved) return;
    this.#replaced = this.#entry();
    this.#base = entry.base;
    this.#post.postVersion = entry.postVersion;
    this.#replace(entry.draft, { id: entry.id, restored: true });
    if (!isBasedOn(entry, onServer)) this.#show({ conflict: { theirs: otherVersionOf(onServer) } });
    this.#saves.repeat();
    this.#show({ unsaved: true });
    this.#journal.write();
  }

  /** The closed page's form had been sent: a story has its text. */
  #undoAdoption({ id, draft, base, postVersion }: JournalEntry): void {
    void this.#journal.forget();
    this.#base = base;
    this.#post.postVersion = postVersion;
    this.#saves.confirm();
    this.#replace(draft, { id, restored: false, unsaved: false, trouble: null });
  }

  keepMine(): void {
    const theirs = this.state.conflict?.theirs;
    if (theirs?.kind === "story") this.#post.postVersion = theirs.number;
    else this.#base = theirs?.number ?? null;
    this.#show({ conflict: null });
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
      this.#post.postVersion = theirs.number;
      this.#changed();
    }
  }

  async keepBoth(): Promise<boolean> {
    const forked = await fork(this.#entry(), this.#environment);
    if (forked) this.keepTheirs();
    return forked;
  }

  showConflict(theirs: OtherVersion | null): void {
    this.#show({ conflict: { theirs } });
    this.resume();
  }

  /** Another page of this browser saved the same draft: shown here unless this page has unsaved changes or is uploading a picture. */
  followOtherPage({ id, writer, draft, revision }: DraftSave & { revision: number }): void {
    if (id !== this.state.id || writer === this.#writer || this.state.unsaved || this.#saves.isFinished) return;
    this.#base = revision;
    this.#replace(draft, { conflict: null });
  }

  #replace({ title, slug, slugTyped, content, status, featuredImage }: Draft, shown: Partial<SessionState>): void {
    this.#read = undefined;
    this.#draft = { title, slug, slugTyped, content, status, featuredImage };
    this.#show({ ...shown, generation: this.state.generation + 1 });
  }

  #entry(): JournalEntry {
    return { ...this.draftBase, ...this.#post, draft: this.draft, typedAt: this.#environment.now() };
  }

  /** A conflict with the post itself doesn't stop saving: the working copy is the writer's own. */
  #isUndecided(): boolean {
    const { conflict } = this.state;
    return conflict !== null && conflict.theirs?.kind !== "story";
  }

  async #send(count: number, signal: AbortSignal): Promise<void> {
    const { typedAt: _, ...entry } = this.#entry();
    const save = { ...entry, draft: { ...entry.draft, content: withoutPlaceholders(entry.draft.content) } };
    const result = await this.#environment.send(save, signal);
    if (this.#saves.isFinished) return;
    if (result.kind === "saved") this.#saved(save, result, count);
    else if (result.kind === "finished" && this.#replaced) this.#undoAdoption(this.#replaced);
    else if (result.kind === "changed" && !(result.theirs === null && isSameText(save.draft, this.#submitted)))
      this.#show({ conflict: { theirs: result.theirs }, trouble: null });
    else if (!signal.aborted) {
      this.#saves.fail();
      // A story has the text, but the answer to the form was lost: the writer sends it again.
      const trouble = result.kind === "finished" || result.kind === "changed" ? "unreachable" : result.kind;
      this.#show({ trouble, reason: result.kind === "refused" ? result.message : "" });
    }
  }

  #saved(save: DraftSave, { revision, featuredImage }: Extract<SaveResponse, { kind: "saved" }>, count: number): void {
    const draft = { ...save.draft, featuredImage };
    this.#base = revision;
    this.#saves.confirm(count);
    this.#show({ hasWorkingCopy: true, trouble: null });
    if (!this.#saves.isBehind) this.#showSaved();
    // The named picture is gone.
    if (!this.state.unsaved && featuredImage !== save.draft.featuredImage) this.#replace(draft, {});
    this.#environment.announce({ ...save, draft, revision });
  }

  #showSaved(): void {
    this.#show({ unsaved: awaitsPicture(this.draft.content), trouble: null }); // The end of an upload changes the text.
    void this.#journal.forget();
  }
}
