import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type DraftSave, isOwnCopyId } from "#domain/drafts/draft.ts";
import { begin, DraftBrowser, draftOf } from "../../../tests/support/browsers/draft-browser.ts";
import { saveAbandonedEntries } from "./abandoned-entries.ts";
import type { SaveResponse } from "./save-loop.ts";

let browser: DraftBrowser;
beforeEach(() => {
  vi.useFakeTimers();
  browser = new DraftBrowser();
});
afterEach(() => vi.useRealTimers());

describe("an entry of a closed page", () => {
  const closePage = async () => {
    const closed = browser.page();
    await begin(closed.session);
    browser.answer = () => ({ kind: "unreachable" });
    closed.session.change(draftOf("left behind"));
    await vi.advanceTimersByTimeAsync(700);
    return closed;
  };

  /** Opens another page, which waits for the first one's lock while `work` is done. */
  const beginBeside = async (work: () => Promise<void>) => {
    const page = browser.page();
    const begun = begin(page.session);
    await vi.advanceTimersByTimeAsync(1_000);
    await work();
    await vi.advanceTimersByTimeAsync(10_000);
    await begun;
    return page;
  };

  test("is adopted and saved by the next page", async () => {
    const closed = await closePage();
    closed.die();
    browser.answer = () => ({ kind: "saved", revision: 1, featuredImage: null });
    const { session } = browser.page();
    await begin(session);
    expect(session.draft.content).toBe("left behind");
    expect(session.state).toMatchObject({ restored: true, generation: 1 });
    expect(session.draftBase.writer).toBe(closed.session.draftBase.writer);
    await vi.advanceTimersByTimeAsync(700);
    expect(browser.contents()).toEqual([]);
  });

  test("is not adopted while its page is open", async () => {
    await closePage();
    const { session } = await beginBeside(async () => {});
    expect(session.draft.content).toBe("");
    expect(browser.contents()).toEqual(["left behind"]);
  });

  test("is neither adopted nor saved if its page published the text meanwhile", async () => {
    const open = await closePage();
    const abandoned = saveAbandonedEntries("maren", browser.tools());
    const { session } = await beginBeside(async () => {
      browser.sent = [];
      await open.session.finish();
    });
    expect([session.draft.content, session.state.restored, session.state.conflict]).toEqual(["", false, null]);
    expect([await abandoned, browser.sent]).toEqual([0, []]);
  });

  test("is adopted with what its page typed until it was closed", async () => {
    const open = await closePage();
    const { session } = await beginBeside(async () => {
      open.session.change(draftOf("left behind, and more"));
      await vi.advanceTimersByTimeAsync(1);
      open.die();
    });
    expect(session.draft.content).toBe("left behind, and more");
  });

  test("is removed if the page was closed after its text was published", async () => {
    (await closePage()).die();
    browser.sent = [];
    browser.answer = () => ({ kind: "finished" });
    expect(await saveAbandonedEntries("maren", browser.tools())).toBe(0);
    expect([browser.sent.length, browser.contents()]).toEqual([1, []]);
  });

  test("is not shown any longer once the server says that its text was published", async () => {
    const closed = await closePage();
    closed.die();
    const { count } = closed.session.draftBase;
    browser.answer = (save) => (save.count <= count ? { kind: "finished" } : { kind: "saved", revision: 8, featuredImage: null });
    const { session } = browser.page({}, draftOf("shown before"), 7);
    await begin(session);
    expect([session.draft.content, session.state.restored]).toEqual(["left behind", true]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(session.draft.content).toBe("shown before");
    expect(session.state).toMatchObject({ restored: false, unsaved: false, conflict: null, trouble: null });
    expect(browser.contents()).toEqual([]);
    session.change(draftOf("typed since"));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(browser.sent.at(-1)).toMatchObject({ id: browser.id, base: 7, draft: { content: "typed since" } });
    expect(session.state.unsaved).toBe(false);
  });

  test("is saved once by two pages that list drafts", async () => {
    (await closePage()).die();
    browser.sent = [];
    browser.answer = ({ id }) =>
      id === browser.id ? { kind: "changed", theirs: null } : { kind: "saved", revision: 1, featuredImage: null };
    const both = Promise.all([1, 2].map(() => saveAbandonedEntries("maren", browser.tools())));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await both).toEqual([1, 0]);
    expect(browser.sent.map(({ id }) => id === browser.id)).toEqual([true, false]);
  });

  test("is one separate draft, also if the answer to the first try was lost", async () => {
    const closed = await closePage();
    closed.die();
    browser.sent = [];
    browser.answer = ({ id }) => (id === browser.id ? { kind: "changed", theirs: null } : { kind: "unreachable" });
    for (const _ of [1, 2]) await saveAbandonedEntries("maren", browser.tools());
    const [first, second] = browser.sent.filter(({ id }) => id !== browser.id);
    expect(second).toEqual(first);
    expect(isOwnCopyId("maren", first?.id ?? "")).toBe(true);
    expect(browser.contents()).toEqual(["left behind"]);
  });

  test("is a conflict if another text was saved meanwhile", async () => {
    (await closePage()).die();
    const copy = { ...draftOf("by another browser"), revision: 55, writer: "elsewhere" };
    const { session } = browser.page({}, copy, 55);
    await begin(session, copy);
    expect(session.draft.content).toBe("left behind");
    expect(session.state.conflict?.theirs?.content).toBe("by another browser");
    browser.sent = [];
    await vi.advanceTimersByTimeAsync(5_000);
    expect(browser.sent).toEqual([]);
  });

  test("is no conflict if only the answer was lost", async () => {
    const closed = await closePage();
    closed.die();
    const copy = { ...draftOf("left"), revision: 55, writer: closed.session.draftBase.writer };
    const { session } = browser.page({}, copy, 55);
    await begin(session, copy);
    expect(session.state.conflict).toBeNull();
    expect(session.draft.content).toBe("left behind");
  });
});

describe("a comparison", () => {
  const openConflict = async (answers: (save: DraftSave) => SaveResponse = () => ({ kind: "saved", revision: 9, featuredImage: null })) => {
    const { session } = browser.page();
    await begin(session);
    browser.answer = () => ({ kind: "changed", theirs: { ...draftOf("theirs"), kind: "draft", number: 5, by: null } });
    session.change(draftOf("mine"));
    await vi.advanceTimersByTimeAsync(700);
    expect(session.state.conflict?.theirs?.content).toBe("theirs");
    browser.sent = [];
    browser.answer = answers;
    return session;
  };

  test("keep mine overwrites theirs", async () => {
    const session = await openConflict();
    session.keepMine();
    await vi.advanceTimersByTimeAsync(1);
    expect(browser.sent).toMatchObject([{ base: 5, draft: { content: "mine" } }]);
  });

  test("keep theirs shows theirs and saves nothing", async () => {
    const session = await openConflict();
    session.keepTheirs();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([session.draft.content, session.state.unsaved, browser.sent]).toEqual(["theirs", false, []]);
  });

  test("keep both first saves mine as a new draft", async () => {
    const session = await openConflict();
    expect(await session.keepBoth()).toBe(true);
    expect(browser.sent).toMatchObject([{ base: null, postId: null, draft: { content: "mine" } }]);
    expect(browser.sent[0]?.id).not.toBe(browser.id);
    expect(session.draft.content).toBe("theirs");
  });

  test("keep both changes nothing when mine can't be saved", async () => {
    const session = await openConflict(() => ({ kind: "unreachable" }));
    expect(await session.keepBoth()).toBe(false);
    expect(session.draft.content).toBe("mine");
    expect(session.state.conflict).not.toBeNull();
  });
});
