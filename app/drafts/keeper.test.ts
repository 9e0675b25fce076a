import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Draft, type DraftSave, emptyDraft } from "#domain/drafts/draft.ts";
import type { Claims } from "./alive.ts";
import type { Entry, Journal } from "./journal.ts";
import { DraftKeeper, type Surroundings } from "./keeper.ts";
import type { SaveAnswer } from "./send-save.ts";

const id = "aaaaaaaaaaaaaaaaaaaaaaaa";
const draftOf = (content: string): Draft => ({ ...emptyDraft, title: "T", slug: "t", content });

let entries: Map<string, Entry>;
let held: Set<string>;
let sent: DraftSave[];
let answer: (save: DraftSave) => SaveAnswer | Promise<SaveAnswer>;
let journalFails: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  entries = new Map();
  held = new Set();
  sent = [];
  journalFails = false;
  let revision = 100;
  answer = () => ({ kind: "saved", revision: ++revision, featuredImage: null });
});
afterEach(() => vi.useRealTimers());

const journal: Journal = {
  async put(entry) {
    if (journalFails) throw new Error("no room");
    entries.set(`${entry.id} ${entry.writer}`, structuredClone(entry));
  },
  putNow: (entry) => void entries.set(`${entry.id} ${entry.writer}`, structuredClone(entry)),
  async remove(entry) {
    entries.delete(`${entry.id} ${entry.writer}`);
  },
  entries: async (userId) => [...entries.values()].filter((entry) => entry.userId === userId),
};

/** Of one page; `die` is what the browser does for a page that is gone. */
function page(chosen: Partial<Surroundings> = {}, draft = emptyDraft, base: number | null = null) {
  const mine = new Set<string>();
  const claims: Claims = {
    canTell: true,
    async claim(writer) {
      if (held.has(writer)) return mine.has(writer);
      held.add(writer);
      mine.add(writer);
      return true;
    },
    release(writer) {
      if (mine.delete(writer)) held.delete(writer);
    },
  };
  const send = async (save: DraftSave) => {
    sent.push(structuredClone(save));
    return answer(save);
  };
  const announce = vi.fn();
  const surroundings = { journal, claims, send, announce, afterPaint: (work: () => void) => work(), now: () => Date.now(), ...chosen };
  const keeper = new DraftKeeper({ id, userId: "maren", postId: null, postVersion: null, base, draft }, surroundings);
  const die = () => {
    void keeper.hold();
    for (const writer of mine) held.delete(writer);
  };
  return { keeper, die, announce };
}

const begin = async (keeper: DraftKeeper, copy: (Draft & { revision: number; writer: string }) | null = null, anyNew = true) => {
  await keeper.start({ copy, anyNew, since: 0 });
};
const contents = () => [...entries.values()].map(({ draft }) => draft.content);

describe("while somebody types", () => {
  test("that it is unsaved holds at once; the letter is drawn before that is shown and written down", async () => {
    const waiting: (() => void)[] = [];
    const { keeper } = page({ afterPaint: (work) => waiting.push(work) });
    await begin(keeper);
    const told = vi.fn();
    keeper.subscribe(told);
    keeper.type(() => "a");
    await vi.advanceTimersByTimeAsync(1);
    expect(keeper.state.unsaved).toBe(true);
    expect(told).not.toHaveBeenCalled();
    expect(contents()).toEqual([]);
    for (const work of waiting) work();
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toHaveBeenCalledOnce();
    expect(contents()).toEqual(["a"]);
  });

  test("a page that goes away before the letter is drawn writes it down nevertheless", async () => {
    const { keeper } = page({ afterPaint: () => {} });
    answer = () => ({ kind: "unreachable" });
    await begin(keeper);
    keeper.type(() => "a");
    keeper.flush();
    await vi.advanceTimersByTimeAsync(1);
    expect(contents()).toEqual(["a"]);
  });

  test("a page that goes away while an earlier write is under way has written all of it before it is gone", async () => {
    const unfinished: Journal = { ...journal, put: () => new Promise(() => {}) };
    const { keeper } = page({ journal: unfinished });
    answer = () => ({ kind: "unreachable" });
    await begin(keeper);
    keeper.change(draftOf("a"));
    keeper.change(draftOf("ab"));
    keeper.leaveSoon();
    expect(contents()).toEqual(["ab"]);
  });

  test("a page that goes away with everything saved writes nothing", async () => {
    const { keeper } = page();
    await begin(keeper);
    keeper.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(700);
    keeper.leaveSoon();
    expect(contents()).toEqual([]);
  });

  test("each change is in the browser at once, and a save follows a pause", async () => {
    const { keeper } = page();
    await begin(keeper);
    keeper.change(draftOf("a"));
    keeper.change(draftOf("ab"));
    await vi.advanceTimersByTimeAsync(1);
    expect(contents()).toEqual(["ab"]);
    expect(keeper.state.unsaved).toBe(true);
    await vi.advanceTimersByTimeAsync(600);
    expect(sent.map(({ draft }) => draft.content)).toEqual(["ab"]);
    expect(keeper.state.unsaved).toBe(false);
    expect(contents()).toEqual([]);
  });

  test("typing on without a pause is saved within two seconds", async () => {
    const { keeper } = page();
    await begin(keeper);
    let text = "";
    for (let key = 0; key < 100; key++) {
      text += "x";
      keeper.change({ content: text });
      await vi.advanceTimersByTimeAsync(100);
      const behind = text.length - (sent.at(-1)?.draft.content.length ?? 0);
      expect(behind * 100).toBeLessThanOrEqual(2_000);
    }
  });

  test("what is typed while a save is on its way is the next", async () => {
    const { keeper } = page();
    await begin(keeper);
    let arrive = (_: SaveAnswer) => {};
    answer = () => new Promise((resolve) => (arrive = resolve));
    keeper.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(600);
    keeper.change(draftOf("ab"));
    arrive({ kind: "saved", revision: 7, featuredImage: null });
    await vi.advanceTimersByTimeAsync(1);
    expect(keeper.state.unsaved).toBe(true);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(sent.at(-1)).toMatchObject({ base: 7, draft: { content: "ab" } });
  });
});

describe("when the server can't be reached", () => {
  test("it is tried again, and at once when the connection is back", async () => {
    const { keeper } = page();
    await begin(keeper);
    answer = () => ({ kind: "unreachable" });
    keeper.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(keeper.state).toMatchObject({ unsaved: true, trouble: "unreachable" });
    expect(contents()).toEqual(["a"]);
    answer = () => ({ kind: "saved", revision: 1, featuredImage: null });
    keeper.flush();
    await vi.advanceTimersByTimeAsync(1);
    expect(keeper.state).toMatchObject({ unsaved: false, trouble: null });
  });

  test("a story that was made of it while its answer was lost is no conflict, until somebody types on", async () => {
    const { keeper } = page();
    await begin(keeper);
    keeper.change(draftOf("a"));
    await keeper.hold();
    answer = () => ({ kind: "changed", theirs: null });
    keeper.resume();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).not.toEqual([]);
    expect([keeper.state.conflict, keeper.state.unsaved]).toEqual([null, true]);
    expect(contents()).toEqual(["a"]);
    keeper.change(draftOf("ab"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(keeper.state.conflict).toEqual({ theirs: null });
  });

  test("a browser that can't keep it either says so", async () => {
    const { keeper } = page();
    await begin(keeper);
    journalFails = true;
    keeper.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(1);
    expect(keeper.state.journalFails).toBe(true);
  });
});

describe("what a page that is gone has left", () => {
  const leave = async () => {
    const gone = page();
    await begin(gone.keeper);
    answer = () => ({ kind: "unreachable" });
    gone.keeper.change(draftOf("left behind"));
    await vi.advanceTimersByTimeAsync(700);
    return gone;
  };

  test("is taken up by the next, under its name, and saved", async () => {
    const gone = await leave();
    gone.die();
    answer = () => ({ kind: "saved", revision: 1, featuredImage: null });
    const { keeper } = page();
    await begin(keeper);
    expect(keeper.draft.content).toBe("left behind");
    expect(keeper.state).toMatchObject({ restored: true, generation: 1 });
    expect(keeper.origin.writer).toBe(gone.keeper.origin.writer);
    await vi.advanceTimersByTimeAsync(700);
    expect(contents()).toEqual([]);
  });

  test("stays its own while that page lives", async () => {
    await leave();
    const { keeper } = page();
    await begin(keeper);
    expect(keeper.draft.content).toBe("");
    expect(contents()).toEqual(["left behind"]);
  });

  test("is compared when something else has been saved meanwhile", async () => {
    (await leave()).die();
    const copy = { ...draftOf("by another browser"), revision: 55, writer: "elsewhere" };
    const { keeper } = page({}, copy, 55);
    await begin(keeper, copy);
    expect(keeper.draft.content).toBe("left behind");
    expect(keeper.state.conflict?.theirs?.content).toBe("by another browser");
    sent = [];
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toEqual([]);
  });

  test("is not compared when it is the answer that was lost", async () => {
    const gone = await leave();
    gone.die();
    const copy = { ...draftOf("left"), revision: 55, writer: gone.keeper.origin.writer };
    const { keeper } = page({}, copy, 55);
    await begin(keeper, copy);
    expect(keeper.state.conflict).toBeNull();
    expect(keeper.draft.content).toBe("left behind");
  });
});

describe("a comparison", () => {
  const meet = async (answers: (save: DraftSave) => SaveAnswer = () => ({ kind: "saved", revision: 9, featuredImage: null })) => {
    const { keeper } = page();
    await begin(keeper);
    answer = () => ({ kind: "changed", theirs: { ...draftOf("theirs"), kind: "draft", number: 5, by: null } });
    keeper.change(draftOf("mine"));
    await vi.advanceTimersByTimeAsync(700);
    expect(keeper.state.conflict?.theirs?.content).toBe("theirs");
    sent = [];
    answer = answers;
    return keeper;
  };

  test("keep mine builds upon theirs", async () => {
    const keeper = await meet();
    keeper.keepMine();
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toMatchObject([{ base: 5, draft: { content: "mine" } }]);
  });

  test("keep theirs takes theirs and has nothing to save", async () => {
    const keeper = await meet();
    keeper.keepTheirs();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([keeper.draft.content, keeper.state.unsaved, sent]).toEqual(["theirs", false, []]);
  });

  test("keep both saves mine as a story of its own first", async () => {
    const keeper = await meet();
    expect(await keeper.keepBoth()).toBe(true);
    expect(sent).toMatchObject([{ base: null, postId: null, draft: { content: "mine" } }]);
    expect(sent[0]?.id).not.toBe(id);
    expect(keeper.draft.content).toBe("theirs");
  });

  test("keep both changes nothing when mine can't be saved", async () => {
    const keeper = await meet(() => ({ kind: "unreachable" }));
    expect(await keeper.keepBoth()).toBe(false);
    expect(keeper.draft.content).toBe("mine");
    expect(keeper.state.conflict).not.toBeNull();
  });
});

test("another tab of the same draft is followed, unless this one has changes of its own", async () => {
  const { keeper } = page({}, draftOf("begun"), 1);
  await begin(keeper);
  const theirs: DraftSave & { revision: number } = {
    ...{ id, userId: "maren", postId: null, postVersion: null, base: 1, count: 1, writer: "other-tab", revision: 2 },
    draft: draftOf("begun, and on"),
  };
  keeper.hear(theirs);
  expect(keeper.draft.content).toBe("begun, and on");
  keeper.change({ content: "mine" });
  keeper.hear({ ...theirs, revision: 3, draft: draftOf("theirs") });
  expect(keeper.draft.content).toBe("mine");
});
