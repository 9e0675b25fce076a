import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRenderer, type Renderer, TooComplicated } from "./renderer.ts";

const limit = 1_500;
let renderer: Renderer;
beforeEach(() => {
  renderer = createRenderer(limit);
});
afterEach(() => renderer.close());

/** What a Markdown parser takes minutes or all memory for. */
const hostile: [string, string][] = [
  ["emphasis that never closes", "*a_ ".repeat(20_000)],
  ["quotations within quotations", "> ".repeat(5_000)],
  ["brackets that never close", "[".repeat(60_000)],
  ["elements within elements", "<div>".repeat(20_000)],
];

describe("a text that nobody writes by hand", () => {
  test.each(hostile)("of %s doesn't hold up the next one", async (_, text) => {
    const first = renderer.render(text).then(
      ({ html }) => typeof html,
      (error: unknown) => error,
    );
    const second = renderer.render("**next**");
    const outcome = await first;
    if (outcome !== "string") expect(outcome).toBeInstanceOf(TooComplicated);
    expect((await second).html).toBe("<p><strong>next</strong></p>");
  });

  test("is refused when its time is over", async () => {
    await expect(renderer.render("*a_ ".repeat(20_000))).rejects.toThrow(new TooComplicated("it took too long"));
  });
});

test("texts that come at once each get their own answer", async () => {
  const texts = Array.from({ length: 20 }, (_, i) => `text ${i}`);
  const rendered = await Promise.all(texts.map((text) => renderer.render(text)));
  expect(rendered.map(({ text }) => text)).toEqual(texts);
});

test("an answer never goes to the text after the one that it is about", async () => {
  const hurried = createRenderer(15);
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const word = `w${i}w`;
      const text = await hurried.render(`${word} `.repeat(i % 2 ? 1 : 1500)).then(
        (rendered) => rendered.text,
        () => word,
      );
      return new Set(text.split(/\s+/)).size === 1 && text.startsWith(word);
    }),
  );
  await hurried.close();
  expect(outcomes).not.toContain(false);
});

describe("a long text", () => {
  const novel = (word: string) => `# ${word}\n\n${`${word} goes **on**.\n\n`.repeat(2_000)}`;

  test("is rendered once for all who ask for it, before and after it is done", async () => {
    const patient = createRenderer(20_000);
    const [first, second] = await Promise.all([patient.render(novel("sea")), patient.render(novel("sea"))]);
    expect(second).toBe(first);
    expect(await patient.render(novel("sea"))).toBe(first);
    expect((await patient.render(novel("tide"))).text).not.toBe(first.text);
    await patient.close();
  });

  test("that was prepared is there before anything that has to be rendered", async () => {
    const patient = createRenderer(20_000);
    patient.prepare(novel("sea"));
    await patient.render("what comes while it is prepared");
    const first = await Promise.race([patient.render("short"), patient.render(novel("sea"))]);
    expect(first.text).toMatch(/^sea/);
    await patient.close();
  });

  test("that could not be rendered is tried again", async () => {
    const hurried = createRenderer(-10_000);
    await expect(hurried.render(novel("sea"))).rejects.toThrow(TooComplicated);
    hurried.prepare(novel("sea"));
    await expect(hurried.render(novel("sea"))).rejects.toThrow(TooComplicated);
    await hurried.close();
  });
});
