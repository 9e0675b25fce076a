import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyDraft, newCopyId } from "#domain/drafts/draft.ts";
import { listUnfinished, readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import { type DraftConflict, saveWorkingCopy } from "#domain/drafts/working-copies.server.ts";
import { detailsOf } from "#domain/refusals.ts";
import type { Member } from "#domain/site.ts";
import { addMember, openWorld, type World } from "../../../tests/support/world.ts";
import { DraftSession } from "./draft-session.ts";
import type { Claims, Journal, JournalEntry } from "./journal.ts";
import type { SaveResponse, SendSave } from "./save-loop.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Connection = "ok" | "request lost" | "answer lost";
type Step =
  | { does: "types" | "opens another"; page: number }
  | { does: "saves"; page: number; connection: Connection }
  | { does: "is killed"; page: number }
  | { does: "chooses"; page: number; what: "keepMine" | "keepTheirs" | "keepBoth" };

const page = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("types" as const), page }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("saves" as const),
      page,
      connection: fc.constantFrom<Connection>("ok", "ok", "request lost", "answer lost"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom("is killed" as const, "opens another" as const), page }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("chooses" as const), page, what: fc.constantFrom("keepMine", "keepTheirs", "keepBoth") }),
  },
);

type Page = { session: DraftSession; mine: Set<string>; connection: Connection; dead: boolean };

/** A browser with tabs that show one draft, and an unreliable connection. */
class Browser {
  readonly id = newCopyId();
  readonly entries = new Map<string, JournalEntry>();
  readonly held = new Set<string>();
  readonly typed = new Set<string>();
  /** Words that the writer gave up when choosing between two texts. */
  readonly givenUp = new Set<string>();
  readonly pages: Page[] = [];
  readonly writer: Member;

  constructor(writer: Member) {
    this.writer = writer;
  }

  journalOf(page: Page): Journal {
    const key = (entry: Pick<JournalEntry, "id" | "writer">) => `${entry.id} ${entry.writer}`;
    return {
      put: async (entry) => void (page.dead || this.entries.set(key(entry), structuredClone(entry))),
      putSync: (entry) => void (page.dead || this.entries.set(key(entry), structuredClone(entry))),
      remove: async (entry) => void (page.dead || this.entries.delete(key(entry))),
      entries: async () => [...this.entries.values()],
    };
  }

  claimsOf(page: Page): Claims {
    return {
      isSupported: true,
      claim: async (writer) => {
        if (page.dead || (this.held.has(writer) && !page.mine.has(writer))) return false;
        this.held.add(writer);
        page.mine.add(writer);
        return true;
      },
      release: (writer) => void (page.mine.delete(writer) && this.held.delete(writer)),
    };
  }

  sendOf(page: Page): SendSave {
    return async (save) => {
      if (page.dead || page.connection === "request lost") return { kind: "unreachable" };
      world.clock.advance(1);
      const answer = await saveWorkingCopy(world.site, this.writer, save).then(
        (saved): SaveResponse => ({ kind: "saved", ...saved }),
        (error): SaveResponse => {
          const changed = detailsOf<DraftConflict>(error, "changed-meanwhile");
          if (!changed) throw error;
          return { kind: "changed", theirs: changed.theirs };
        },
      );
      return page.connection === "answer lost" ? { kind: "unreachable" } : answer;
    };
  }

  async open(): Promise<Page> {
    const copy = await readWorkingCopy(world.site, this.writer, this.id).catch(() => null);
    const page = { mine: new Set<string>(), connection: "ok", dead: false } as Page;
    const beginning = { id: this.id, userId: this.writer.id, postId: null, postVersion: null, base: copy?.revision ?? null };
    page.session = new DraftSession(
      { ...beginning, draft: copy ?? emptyDraft },
      {
        ...{ journal: this.journalOf(page), claims: this.claimsOf(page), send: this.sendOf(page) },
        ...{ announce: () => {}, afterPaint: (work) => work(), now: () => Date.now() },
      },
    );
    await page.session.start({ copy, continuesLatest: false, since: 0 });
    this.pages.push(page);
    return page;
  }

  async at(index: number): Promise<Page> {
    const open = this.pages.filter(({ dead }) => !dead);
    return open[index % Math.max(1, open.length)] ?? this.open();
  }

  async kill(page: Page): Promise<void> {
    await settle();
    page.dead = true;
    for (const writer of page.mine) this.held.delete(writer);
    await page.session.pause();
  }
}

const wordsOf = (text: string): string[] => text.match(/w\d+/g) ?? [];
const without = (words: string[], others: string[]) => words.filter((word) => !others.includes(word));
/** Lets pending writes and responses finish. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 2));

async function act(browser: Browser, step: Step, word: () => string): Promise<void> {
  const page = await browser.at(step.page);
  const { session } = page;
  if (step.does === "types") {
    const next = word();
    browser.typed.add(next);
    session.change({ content: `${session.draft.content} ${next}` });
  } else if (step.does === "saves") {
    page.connection = step.connection;
    await session.pause();
    session.resume();
    session.flush();
    await settle();
    await session.pause();
    session.resume();
    page.connection = "request lost"; // Until the next step that saves.
  } else if (step.does === "is killed") await browser.kill(page);
  else if (step.does === "chooses") await choose(browser, page, step.what);
  else await browser.open();
}

async function choose(browser: Browser, page: Page, what: "keepMine" | "keepTheirs" | "keepBoth"): Promise<void> {
  const { session } = page;
  const { conflict } = session.state;
  if (!conflict) return;
  page.connection = "ok";
  const [mine, theirs] = [wordsOf(session.draft.content), wordsOf(conflict.theirs?.content ?? "")];
  await session[what]();
  if (what === "keepMine") for (const each of without(theirs, mine)) browser.givenUp.add(each);
  if (what === "keepTheirs" && conflict.theirs) for (const each of without(mine, theirs)) browser.givenUp.add(each);
  await settle();
  page.connection = "request lost";
}

/** The words in working copies and in the journal, without versions. */
async function savedWords(browser: Browser): Promise<Set<string>> {
  const texts = [...browser.entries.values()].map(({ draft }) => draft.content);
  for (const { id } of await listUnfinished(world.site, browser.writer))
    texts.push((await readWorkingCopy(world.site, browser.writer, id)).content);
  return new Set(texts.flatMap(wordsOf));
}

test("with closing tabs and a failing connection, no word is lost without the writer's choice", async () => {
  let runs = 0;
  let words = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const browser = new Browser(await addMember(world, `Writer ${++runs}`));
      await browser.open();
      for (const each of steps) await act(browser, each, () => `w${++words}`);
      for (const page of browser.pages) await browser.kill(page);
      const saved = await savedWords(browser);
      expect([...browser.typed].filter((word) => !saved.has(word) && !browser.givenUp.has(word))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
