import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { anyCharacter } from "../../tests/support/xss.ts";
import { slugMaxLength, titleMaxLength } from "./post.ts";
import { alternativeSlugs, isTruncated, loadTransliterate, slugOf, toSlug } from "./slug.ts";

describe("the slug of a title (§5)", () => {
  test("is trimmed and in lower case", () => {
    expect(toSlug("  Night Bus  ")).toBe("night-bus");
  });
  test("has one hyphen for each run of anything but letters and digits", () => {
    expect(toSlug("Salt, Smoke & the -- Saturday Market!")).toBe("salt-smoke-the-saturday-market");
    expect(toSlug("The Keeper's 2 Kettles")).toBe("the-keeper-s-2-kettles");
  });
  test("is cut to 35 characters", () => {
    expect(toSlug("a".repeat(36))).toBe("a".repeat(35));
    expect(isTruncated("a".repeat(36))).toBe(true);
    expect(isTruncated("a".repeat(35))).toBe(false);
  });
  test("is made of no more characters than a title may have", async () => {
    const normalize = vi.spyOn(String.prototype, "normalize");
    expect(await slugOf("漢".repeat(100_000))).toMatch(/^(han-){8}han$/);
    const lengths = normalize.mock.contexts.map((text) => String(text).length);
    normalize.mockRestore();
    expect(Math.max(...lengths)).toBe(titleMaxLength);
  });
  test("has no hyphen at either end, after the cut too", () => {
    expect(toSlug("…and so on…")).toBe("and-so-on");
    expect(toSlug(`${"a".repeat(34)} b`)).toBe("a".repeat(34));
  });
  test("transliterates other scripts and accents", async () => {
    const transliterate = await loadTransliterate();
    expect(toSlug("Über die Brücke", transliterate)).toBe("uber-die-brucke");
    expect(toSlug("Łódź at Dawn", transliterate)).toBe("lodz-at-dawn");
    expect(toSlug("Привет, мир", transliterate)).toBe("privet-mir");
    expect(toSlug("مرحبا بالعالم", transliterate)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });
  test("is story- and six characters when nothing is left", async () => {
    expect(await slugOf("🎉🎊")).toMatch(/^story-[a-z0-9]{6}$/);
    expect(await slugOf("!!!")).toMatch(/^story-[a-z0-9]{6}$/);
  });
  test("is always well formed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 80 }), async (title) => {
        const slug = await slugOf(title);
        expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(slugMaxLength);
      }),
    );
  });
  test("is stable when slugged again", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 80 }), async (title) => {
        const slug = await slugOf(title);
        expect(toSlug(slug)).toBe(slug);
      }),
    );
  });
});

test("other slugs to offer stay within the limit and differ", () => {
  const offered = alternativeSlugs("a".repeat(35));
  expect(new Set(offered).size).toBe(offered.length);
  expect(offered.every((slug) => slug.length <= slugMaxLength && /^a+-(?:\d|[a-z2-9]{6})$/.test(slug))).toBe(true);
});
