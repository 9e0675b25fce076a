import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Draft, type DraftSave, emptyDraft } from "#domain/drafts/draft.ts";
import type { Claims } from "./alive.ts";
import { DraftSession, type Surroundings } from "./draft-session.ts";
import type { Entry } from "./entry.ts";
import type { Journal } from "./journal.ts";
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
  const session = new DraftSession({ id, userId: "maren", postId: null, postVersion: null, base, draft }, surroundings);
  const die = () => {
    void session.hold();
    for (const writer of mine) held.delete(writer);
  };
  return { session, die, announce };
}

const begin = async (session: DraftSession, copy: (Draft & { revision: number; writer: string }) | null = null, anyNew = true) => {
  await session.start({ copy, anyNew, since: 0 });
};
const contents = () => [...entries.values()].map(({ draft }) => draft.content);

describe("while somebody types", () => {
  test("that it is unsaved holds at once; the letter is drawn before that is shown and written down", async () => {
    const waiting: (() => void)[] = [];
    const { session } = page({ afterPaint: (work) => waiting.push(work) });
    await begin(session);
    const told = vi.fn();
    session.subscribe(told);
    session.type(() => "a");
    await vi.advanceTimersByTimeAsync(1);
    expect(session.state.unsaved).toBe(true);
    expect(told).not.toHaveBeenCalled();
    expect(contents()).toEqual([]);
    for (const work of waiting) work();
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toHaveBeenCalledOnce();
    expect(contents()).toEqual(["a"]);
  });

  test("a page that goes away before the letter is drawn writes it down nevertheless", async () => {
    const { session } = page({ afterPaint: () => {} });
    answer = () => ({ kind: "unreachable" });
    await begin(session);
    session.type(() => "a");
    session.flush();
    await vi.advanceTimersByTimeAsync(1);
    expect(contents()).toEqual(["a"]);
  });

  test("a page that goes away while an earlier write is under way has written all of it before it is gone", async () => {
    const unfinished: Journal = { ...journal, put: () => new Promise(() => {}) };
    const { session } = page({ journal: unfinished });
    answer = () => ({ kind: "unreachable" });
    await begin(session);
    session.change(draftOf("a"));
    session.change(draftOf("ab"));
    session.leaveSoon();
    expect(contents()).toEqual(["ab"]);
  });

  test("a page that goes away with everything saved writes nothing", async () => {
    const { session } = page();
    await begin(session);
    session.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(700);
    session.leaveSoon();
    expect(contents()).toEqual([]);
  });

  test("each change is in the browser at once, and a save follows a pause", async () => {
    const { session } = page();
    await begin(session);
    session.change(draftOf("a"));
    session.change(draftOf("ab"));
    await vi.advanceTimersByTimeAsync(1);
    expect(contents()).toEqual(["ab"]);
    expect(session.state.unsaved).toBe(true);
    await vi.advanceTimersByTimeAsync(600);
    expect(sent.map(({ draft }) => draft.content)).toEqual(["ab"]);
    expect(session.state.unsaved).toBe(false);
    expect(contents()).toEqual([]);
  });

  test("typing on without a pause is saved within two seconds", async () => {
    const { session } = page();
    await begin(session);
    let text = "";
    for (let key = 0; key < 100; key++) {
      text += "x";
      session.change({ content: text });
      await vi.advanceTimersByTimeAsync(100);
      const behind = text.length - (sent.at(-1)?.draft.content.length ?? 0);
      expect(behind * 100).toBeLessThanOrEqual(2_000);
    }
  });

  test("what is typed while a save is on its way is the next", async () => {
    const { session } = page();
    await begin(session);
    let arrive = (_: SaveAnswer) => {};
    answer = () => new Promise((resolve) => (arrive = resolve));
    session.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(600);
    session.change(draftOf("ab"));
    arrive({ kind: "saved", revision: 7, featuredImage: null });
    await vi.advanceTimersByTimeAsync(1);
    expect(session.state.unsaved).toBe(true);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(sent.at(-1)).toMatchObject({ base: 7, draft: { content: "ab" } });
  });
});

describe("when the server can't be reached", () => {
  test("it is tried again, and at once when the connection is back", async () => {
    const { session } = page();
    await begin(session);
    answer = () => ({ kind: "unreachable" });
    session.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(session.state).toMatchObject({ unsaved: true, trouble: "unreachable" });
    expect(contents()).toEqual(["a"]);
    answer = () => ({ kind: "saved", revision: 1, featuredImage: null });
    session.flush();
    await vi.advanceTimersByTimeAsync(1);
    expect(session.state).toMatchObject({ unsaved: false, trouble: null });
  });

  test("a story that was made of it while its answer was lost is no conflict, until somebody types on", async () => {
    const { session } = page();
    await begin(session);
    session.change(draftOf("a"));
    await session.hold();
    answer = () => ({ kind: "changed", theirs: null });
    session.resume();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).not.toEqual([]);
    expect([session.state.conflict, session.state.unsaved]).toEqual([null, true]);
    expect(contents()).toEqual(["a"]);
    session.change(draftOf("ab"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.state.conflict).toEqual({ theirs: null });
  });

  test("a browser that can't keep it either says so", async () => {
    const { session } = page();
    await begin(session);
    journalFails = true;
    session.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(1);
    expect(session.state.journalFails).toBe(true);
  });
});

describe("what a page that is gone has left", () => {
  const leave = async () => {
    const gone = page();
    await begin(gone.session);
    answer = () => ({ kind: "unreachable" });
    gone.session.change(draftOf("left behind"));
    await vi.advanceTimersByTimeAsync(700);
    return gone;
  };

  test("is taken up by the next, under its name, and saved", async () => {
    const gone = await leave();
    gone.die();
    answer = () => ({ kind: "saved", revision: 1, featuredImage: null });
    const { session } = page();
    await begin(session);
    expect(session.draft.content).toBe("left behind");
    expect(session.state).toMatchObject({ restored: true, generation: 1 });
    expect(session.origin.writer).toBe(gone.session.origin.writer);
    await vi.advanceTimersByTimeAsync(700);
    expect(contents()).toEqual([]);
  });

  test("stays its own while that page lives", async () => {
    await leave();
    const { session } = page();
    await begin(session);
    expect(session.draft.content).toBe("");
    expect(contents()).toEqual(["left behind"]);
  });

  test("is compared when something else has been saved meanwhile", async () => {
    (await leave()).die();
    const copy = { ...draftOf("by another browser"), revision: 55, writer: "elsewhere" };
    const { session } = page({}, copy, 55);
    await begin(session, copy);
    expect(session.draft.content).toBe("left behind");
    expect(session.state.conflict?.theirs?.content).toBe("by another browser");
    sent = [];
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent).toEqual([]);
  });

  test("is not compared when it is the answer that was lost", async () => {
    const gone = await leave();
    gone.die();
    const copy = { ...draftOf("left"), revision: 55, writer: gone.session.origin.writer };
    const { session } = page({}, copy, 55);
    await begin(session, copy);
    expect(session.state.conflict).toBeNull();
    expect(session.draft.content).toBe("left behind");
  });
});

describe("a comparison", () => {
  const meet = async (answers: (save: DraftSave) => SaveAnswer = () => ({ kind: "saved", revision: 9, featuredImage: null })) => {
    const { session } = page();
    await begin(session);
    answer = () => ({ kind: "changed", theirs: { ...draftOf("theirs"), kind: "draft", number: 5, by: null } });
    session.change(draftOf("mine"));
    await vi.advanceTimersByTimeAsync(700);
    expect(session.state.conflict?.theirs?.content).toBe("theirs");
    sent = [];
    answer = answers;
    return session;
  };

  test("keep mine builds upon theirs", async () => {
    const session = await meet();
    session.keepMine();
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toMatchObject([{ base: 5, draft: { content: "mine" } }]);
  });

  test("keep theirs takes theirs and has nothing to save", async () => {
    const session = await meet();
    session.keepTheirs();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([session.draft.content, session.state.unsaved, sent]).toEqual(["theirs", false, []]);
  });

  test("keep both saves mine as a story of its own first", async () => {
    const session = await meet();
    expect(await session.keepBoth()).toBe(true);
    expect(sent).toMatchObject([{ base: null, postId: null, draft: { content: "mine" } }]);
    expect(sent[0]?.id).not.toBe(id);
    expect(session.draft.content).toBe("theirs");
  });

  test("keep both changes nothing when mine can't be saved", async () => {
    const session = await meet(() => ({ kind: "unreachable" }));
    expect(await session.keepBoth()).toBe(false);
    expect(session.draft.content).toBe("mine");
    expect(session.state.conflict).not.toBeNull();
  });
});

test("another tab of the same draft is followed, unless this one has changes of its own", async () => {
  const { session } = page({}, draftOf("begun"), 1);
  await begin(session);
  const theirs: DraftSave & { revision: number } = {
    ...{ id, userId: "maren", postId: null, postVersion: null, base: 1, count: 1, writer: "other-tab", revision: 2 },
    draft: draftOf("begun, and on"),
  };
  session.followOtherPage(theirs);
  expect(session.draft.content).toBe("begun, and on");
  session.change({ content: "mine" });
  session.followOtherPage({ ...theirs, revision: 3, draft: draftOf("theirs") });
  expect(session.draft.content).toBe("mine");
});
