import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../tests/support/xss.ts";
import { longDate, shortDate } from "./dates.ts";
import {
  cutForExcerpt,
  excerpt,
  fullCount,
  greeting,
  initials,
  pluralize,
  readMinutes,
  relativeTime,
  shortCount,
  unreadBadge,
} from "./format.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe("read time", () => {
  test.each([
    [0, 1],
    [1, 1],
    [200, 1],
    [201, 2],
    [400, 2],
    [1800, 9],
  ])("%i words take %i minutes", (words, minutes) => {
    expect(readMinutes(words)).toBe(minutes);
  });
});

test.each(["Umbrellas, mostly.", "One tuba. A wedding cake,   intact.", "12345 6", "12345  ", "One tuba, intact", "🎺🎺🎺🎺🎺🎺 🎺"])(
  "the beginning of %j has the same excerpts as the whole text",
  (text) => {
    for (let length = 1; length < 20; length++) expect(excerpt(cutForExcerpt(text, length), length)).toBe(excerpt(text, length));
  },
);

describe("excerpt", () => {
  test("a short text is unchanged", () => {
    expect(excerpt("Umbrellas, mostly.", 120)).toBe("Umbrellas, mostly.");
    expect(excerpt("12345", 5)).toBe("12345");
  });
  test("a long text is cut between words", () => {
    expect(excerpt("One tuba. A wedding cake, intact.", 12)).toBe("One tuba. A...");
    expect(excerpt("One tuba. A wedding", 9)).toBe("One tuba...");
    expect(excerpt("One tuba, intact", 11)).toBe("One tuba...");
    expect(excerpt("One tuba - intact", 12)).toBe("One tuba...");
    expect(excerpt("One tuba. A wedding", 11)).toBe("One tuba. A...");
  });
  test("a long word is cut", () => {
    expect(excerpt("Donaudampfschifffahrt", 5)).toBe("Donau...");
  });
  test("whitespace is collapsed", () => {
    expect(excerpt("  One\n\n tuba. ", 120)).toBe("One tuba.");
  });
  test("an empty text stays empty", () => {
    expect(excerpt("", 120)).toBe("");
    expect(excerpt(" \n ", 120)).toBe("");
  });
  test("never exceeds the limit or splits a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.integer({ min: 1, max: 80 }), (text, length) => {
        const result = excerpt(text, length);
        expect(Array.from(result).length).toBeLessThanOrEqual(length + 3);
        expect(result.isWellFormed()).toBe(true);
      }),
    );
  });
  test("starts like the text", () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 40 }), fc.integer({ min: 20, max: 200 }), (text, length) => {
        expect(text.startsWith(excerpt(text, length).replace(/\.\.\.$/, ""))).toBe(true);
      }),
    );
  });
});

describe("relative time", () => {
  test.each([
    [-hour, "Just now"],
    [0, "Just now"],
    [30 * second - 1, "Just now"],
    [30 * second, "30 seconds ago"],
    [minute - 1, "59 seconds ago"],
    [minute, "1 minute ago"],
    [2 * minute - 1, "1 minute ago"],
    [59 * minute, "59 minutes ago"],
    [hour, "1 hour ago"],
    [2 * hour, "2 hours ago"],
    [day - 1, "23 hours ago"],
    [day, "1 day ago"],
    [7 * day - 1, "6 days ago"],
    [7 * day, "1 week ago"],
    [27 * day, "3 weeks ago"],
    [28 * day - 1, "3 weeks ago"],
    [28 * day, "1 month ago"],
    [59 * day, "1 month ago"],
    [60 * day, "2 months ago"],
    [359 * day, "11 months ago"],
    [364 * day, "11 months ago"],
    [365 * day, "1 year ago"],
    [729 * day, "1 year ago"],
    [730 * day, "2 years ago"],
  ])("%i milliseconds are %s", (age, text) => {
    expect(relativeTime(1_800_000_000_000 - age, 1_800_000_000_000)).toBe(text);
  });
  test("an invalid time reads as recent", () => {
    expect(relativeTime(Number.NaN, 0)).toBe("Recently");
  });
  test("depends only on the difference", () => {
    fc.assert(
      fc.property(fc.nat(4e12), fc.nat(1e12), fc.nat(1e12), (age, one, other) => {
        expect(relativeTime(one, one + age)).toBe(relativeTime(other, other + age));
      }),
    );
  });
  test("never rounds up to the next unit", () => {
    fc.assert(
      fc.property(fc.nat(4e11), (age) => {
        const [count, unit] = relativeTime(0, age).split(" ");
        const most: Record<string, number> = { second: 59, minute: 59, hour: 23, day: 6, week: 3, month: 11 };
        const limit = most[unit?.replace(/s$/, "") ?? ""];
        if (limit !== undefined) expect(Number(count)).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

describe("short counts", () => {
  test.each([
    [0, "0"],
    [1, "1"],
    [999, "999"],
    [1000, "1.0K"],
    [1049, "1.0K"],
    [1050, "1.1K"],
    [1150, "1.2K"],
    [12_400, "12.4K"],
    [999_899, "999.9K"],
    [999_949, "999.9K"],
    [999_950, "999.9K"],
    [999_999, "999.9K"],
    [1_000_000, "1.0M"],
    [2_540_000, "2.5M"],
    [2_550_000, "2.6M"],
    [1_234_567_890, "1234.6M"],
  ])("%i is %s", (count, text) => {
    expect(shortCount(count)).toBe(text);
  });
  test("have one decimal from a thousand on", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 2_000_000_000 }), (count) => {
        expect(shortCount(count)).toMatch(/^\d+\.\d[KM]$/);
      }),
    );
  });
  test("never decrease as the count grows, and are at most half a step off", () => {
    const value = (text: string) => Number.parseFloat(text) * (text.endsWith("M") ? 1_000_000 : text.endsWith("K") ? 1000 : 1);
    fc.assert(
      fc.property(fc.nat(50_000_000), fc.nat(1000), (count, more) => {
        expect(value(shortCount(count + more))).toBeGreaterThanOrEqual(value(shortCount(count)));
        const step = count < 1000 ? 1 : count < 1_000_000 ? 100 : 100_000;
        expect(Math.abs(value(shortCount(count)) - count)).toBeLessThanOrEqual(step);
      }),
    );
  });
});

test.each([
  [1, "1"],
  [99, "99"],
  [100, "99+"],
  [12_345, "99+"],
])("%i unread show %s", (count, text) => {
  expect(unreadBadge(count)).toBe(text);
});

describe("initials", () => {
  test.each([
    ["Maren Oduya", "MO"],
    ["maren", "M"],
    ["Ana María de la Cruz", "AM"],
    ["  Tobias   Lindqvist ", "TL"],
    ["Élodie Ørsted", "ÉØ"],
    ["李 小龙", "李小"],
    ["(the) 3rd", "T3"],
    ["ß", "S"],
    ["𝒜da Lovelace", "𝒜L"],
    ["", "A"],
    ["!? …", "A"],
  ])("%j has %s", (name, letters) => {
    expect(initials(name)).toBe(letters);
  });
  test("are one or two characters for any name", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (name) => {
        const letters = initials(name);
        expect(letters.isWellFormed()).toBe(true);
        expect([1, 2]).toContain(Array.from(letters).length);
      }),
    );
  });
});

test.each([
  [0, "Good morning"],
  [11, "Good morning"],
  [12, "Good afternoon"],
  [17, "Good afternoon"],
  [18, "Good evening"],
  [23, "Good evening"],
])("at %i o'clock the greeting is %s", (hours, text) => {
  expect(greeting(hours)).toBe(text);
});

test("one uses the singular", () => {
  expect(pluralize(0, "Like")).toBe("0 Likes");
  expect(pluralize(1, "Like")).toBe("1 Like");
  expect(pluralize(12_400, "story", "stories")).toBe("12.4K stories");
  expect(pluralize(1_234, "story", "stories", fullCount)).toBe("1,234 stories");
});

test("dates don't depend on the time zone", () => {
  expect(shortDate(Date.UTC(2026, 2, 4, 23, 59))).toBe("Mar 4, 2026");
  expect(longDate(Date.UTC(2026, 2, 4))).toBe("March 4, 2026");
});
