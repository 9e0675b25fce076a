import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { beginUpload } from "#app/posts/editor/placeholders.ts";
import { type DraftSave, draftTexts } from "#domain/drafts/draft.ts";
import { begin, DraftBrowser, draftOf } from "../../../tests/support/browsers/draft-browser.ts";
import type { Journal } from "./journal.ts";
import { type SaveResponse, sendSave } from "./save-loop.ts";

let browser: DraftBrowser;
beforeEach(() => {
  vi.useFakeTimers();
  browser = new DraftBrowser();
});
afterEach(() => vi.useRealTimers());

describe("while typing", () => {
  test("counts as unsaved at once, but renders and writes the journal after the key is drawn", async () => {
    const waiting: (() => void)[] = [];
    const { session } = browser.page({ afterPaint: (work) => waiting.push(work) });
    await begin(session);
    const onChange = vi.fn();
    session.subscribe(onChange);
    session.type(() => "a");
    await vi.advanceTimersByTimeAsync(1);
    expect(session.state.unsaved).toBe(true);
    expect(onChange).not.toHaveBeenCalled();
    expect(browser.contents()).toEqual([]);
    for (const work of waiting) work();
    await vi.advanceTimersByTimeAsync(1);
    expect(onChange).toHaveBeenCalledOnce();
    expect(browser.contents()).toEqual(["a"]);
  });

  test("a page that is closed before the key is drawn still writes it", async () => {
    const { session } = browser.page({ afterPaint: () => {} });
    browser.answer = () => ({ kind: "unreachable" });
    await begin(session);
    session.type(() => "a");
    session.flush();
    await vi.advanceTimersByTimeAsync(1);
    expect(browser.contents()).toEqual(["a"]);
  });

  test("a page that is closed during an earlier write writes everything", async () => {
    const unfinished: Journal = { ...browser.journal, put: () => new Promise(() => {}) };
    const { session } = browser.page({ journal: unfinished });
    browser.answer = () => ({ kind: "unreachable" });
    await begin(session);
    session.change(draftOf("a"));
    session.change(draftOf("ab"));
    session.saveBeforeUnload();
    expect(browser.contents()).toEqual(["ab"]);
  });

  test("a page that is closed with everything saved writes nothing", async () => {
    const { session } = browser.page();
    await begin(session);
    session.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(700);
    session.saveBeforeUnload();
    expect(browser.contents()).toEqual([]);
  });

  test("each change is in the journal at once, and is saved after a pause", async () => {
    const { session } = browser.page();
    await begin(session);
    session.change(draftOf("a"));
    session.change(draftOf("ab"));
    await vi.advanceTimersByTimeAsync(1);
    expect(browser.contents()).toEqual(["ab"]);
    expect(session.state.unsaved).toBe(true);
    await vi.advanceTimersByTimeAsync(600);
    expect(browser.sent.map(({ draft }) => draft.content)).toEqual(["ab"]);
    expect(session.state.unsaved).toBe(false);
    expect(browser.contents()).toEqual([]);
  });

  test("typing without a pause is saved within two seconds", async () => {
    const { session } = browser.page();
    await begin(session);
    let text = "";
    for (let key = 0; key < 100; key++) {
      text += "x";
      session.change({ content: text });
      await vi.advanceTimersByTimeAsync(100);
      const behind = text.length - (browser.sent.at(-1)?.draft.content.length ?? 0);
      expect(behind * 100).toBeLessThanOrEqual(2_000);
    }
  });

  test("changes made during a save go with the next", async () => {
    const { session } = browser.page();
    await begin(session);
    let arrive = (_: SaveResponse) => {};
    browser.answer = () => new Promise((resolve) => (arrive = resolve));
    session.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(600);
    session.change(draftOf("ab"));
    arrive({ kind: "saved", revision: 7, featuredImage: null });
    await vi.advanceTimersByTimeAsync(1);
    expect(session.state.unsaved).toBe(true);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(browser.sent.at(-1)).toMatchObject({ base: 7, draft: { content: "ab" } });
  });
});

describe("when the server can't be reached", () => {
  test("retries, also at once when the connection is back", async () => {
    const { session } = browser.page();
    await begin(session);
    browser.answer = () => ({ kind: "unreachable" });
    session.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(session.state).toMatchObject({ unsaved: true, trouble: "unreachable" });
    expect(browser.contents()).toEqual(["a"]);
    browser.answer = () => ({ kind: "saved", revision: 1, featuredImage: null });
    session.flush();
    await vi.advanceTimersByTimeAsync(1);
    expect(session.state).toMatchObject({ unsaved: false, trouble: null });
  });

  test("a published draft whose answer was lost is no conflict until the writer types again", async () => {
    const { session } = browser.page();
    await begin(session);
    session.change(draftOf("a"));
    await session.pause();
    browser.answer = () => ({ kind: "finished" });
    session.resume();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(browser.sent).not.toEqual([]);
    expect([session.state.conflict, session.state.unsaved]).toEqual([null, true]);
    expect(browser.contents()).toEqual(["a"]);
    browser.answer = () => ({ kind: "changed", theirs: null });
    session.change(draftOf("ab"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.state.conflict).toEqual({ theirs: null });
  });

  test("nor if its picture was uploaded after the form was sent", async () => {
    const { session } = browser.page({}, draftOf("begun"), 1);
    await begin(session);
    session.change(draftOf("a"));
    await session.pause();
    session.change({ featuredImage: "uploaded-since" });
    browser.answer = () => ({ kind: "changed", theirs: null });
    session.resume();
    await vi.advanceTimersByTimeAsync(2_000);
    expect([session.state.conflict, session.state.trouble]).toEqual([null, "unreachable"]);
  });

  test("reports a journal that can't be written", async () => {
    const { session } = browser.page();
    await begin(session);
    browser.journalFails = true;
    session.change(draftOf("a"));
    await vi.advanceTimersByTimeAsync(1);
    expect(session.state.journalFails).toBe(true);
  });
});

test("shows saves of another tab, unless it has unsaved changes", async () => {
  const { session } = browser.page({}, draftOf("begun"), 1);
  await begin(session);
  const theirs: DraftSave & { revision: number } = {
    ...{ id: browser.id, userId: "maren", postId: null, postVersion: null, base: 1, count: 1, writer: "other-tab", revision: 2 },
    draft: draftOf("begun, and on"),
  };
  session.followOtherPage(theirs);
  expect(session.draft.content).toBe("begun, and on");
  session.change({ content: "mine" });
  session.followOtherPage({ ...theirs, revision: 3, draft: draftOf("theirs") });
  expect(session.draft.content).toBe("mine");
});

test("keeps the place of a picture that is uploading, and saves the text without it", async () => {
  const { session } = browser.page({}, draftOf("begun"), 1);
  await begin(session);
  const { placeholder, end } = beginUpload("door.png", 1);
  session.change({ content: `begun\n\n${placeholder}` });
  await vi.advanceTimersByTimeAsync(700);
  expect(browser.sent.at(-1)?.draft.content).toBe("begun\n\n");
  expect([session.state.unsaved, browser.contents()]).toEqual([true, []]);
  const theirs = { id: browser.id, userId: "maren", postId: null, postVersion: null, base: 2, count: 1, writer: "other-tab", revision: 3 };
  session.followOtherPage({ ...theirs, draft: draftOf("theirs") });
  expect(session.draft.content).toContain(placeholder);
  end();
  session.change({ content: "begun\n\n![](/files/door)" });
  await vi.advanceTimersByTimeAsync(700);
  expect(session.state.unsaved).toBe(false);
  session.followOtherPage({ ...theirs, draft: draftOf("theirs") });
  expect(session.draft.content).toBe("theirs");
});

test("shows the copy's picture once the one that it named is gone", async () => {
  const announce = vi.fn();
  const { session } = browser.page({ announce }, { ...draftOf("begun"), featuredImage: "gone" }, 1);
  await begin(session);
  browser.answer = () => ({ kind: "saved", revision: 2, featuredImage: "present" });
  session.change({ content: "begun, and on" });
  await vi.advanceTimersByTimeAsync(700);
  expect(session.draft).toMatchObject({ content: "begun, and on", featuredImage: "present" });
  expect(session.state).toMatchObject({ unsaved: false, generation: 1 });
  expect(announce.mock.calls[0]?.[0].draft.featuredImage).toBe("present");
});

test("a text that the server's limit refuses is too long, not unreachable", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ message: "This is too large." }, { status: 413 }));
  expect(await sendSave({} as DraftSave, new AbortController().signal)).toEqual({ kind: "refused", message: draftTexts.tooLong });
  vi.unstubAllGlobals();
});
