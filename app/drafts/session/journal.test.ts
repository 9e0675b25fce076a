import { expect, test } from "vitest";
import { emptyDraft } from "#domain/drafts/draft.ts";
import type { JournalEntry } from "./journal.ts";
import { newestOfEach, openLastCopies } from "./journal.ts";

const entry = (part: Partial<JournalEntry>): JournalEntry => ({
  ...{ id: "draft", base: null, writer: "page", count: 1, userId: "maren", postId: null, postVersion: null },
  ...{ draft: emptyDraft, typedAt: 0, ...part },
});

/** As browsers have it: entries are own properties of the object. */
function storage(limit = Number.POSITIVE_INFINITY): Storage {
  const kept: Record<string, string> = {};
  const methods = {
    getItem: (name: string) => kept[name] ?? null,
    removeItem: (name: string) => void delete kept[name],
    setItem(name: string, text: string) {
      if (text.length > limit) throw new DOMException("full", "QuotaExceededError");
      kept[name] = text;
    },
  };
  return new Proxy(kept, { get: (_, name: string) => methods[name as keyof typeof methods] ?? kept[name] }) as unknown as Storage;
}

test("an entry is stored at once and readable by its writer only", () => {
  const copies = openLastCopies(() => kept);
  const kept = storage();
  kept.setItem("theme", "dark");
  copies.put(entry({ count: 3 }));
  expect(copies.entries("maren")).toEqual([entry({ count: 3 })]);
  expect(copies.entries("ruth")).toEqual([]);
});

test("a copy is removed by a write of the same or newer changes, not of older ones", () => {
  const kept = storage();
  const copies = openLastCopies(() => kept);
  copies.put(entry({ count: 3 }));
  copies.remove(entry({}), 2);
  expect(copies.entries("maren")).toHaveLength(1);
  copies.remove(entry({}), 3);
  expect(copies.entries("maren")).toEqual([]);
});

test("a full or disabled storage fails silently", () => {
  const full = storage(10);
  const none = () => {
    throw new DOMException("switched off", "SecurityError");
  };
  for (const copies of [openLastCopies(() => full), openLastCopies(none)]) {
    copies.put(entry({}));
    copies.remove(entry({}));
    expect(copies.entries("maren")).toEqual([]);
  }
});

test("of two entries of a page, the one with more changes is used", () => {
  const other = entry({ writer: "another page", count: 1 });
  expect(newestOfEach([entry({ count: 4 }), other, entry({ count: 7 }), entry({ count: 5 })])).toEqual([entry({ count: 7 }), other]);
});
