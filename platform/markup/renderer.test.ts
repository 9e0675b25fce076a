import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { builtSite } from "../../tests/support/process.ts";
import { BudgetExceeded } from "../queues/budget.ts";
import { createRenderer, type Renderer, TooComplicated } from "./renderer.ts";

const limit = 200;
const script = pathToFileURL(join(await builtSite(), "worker.js"));
let renderer: Renderer;
beforeEach(() => {
  renderer = createRenderer({ script, limitMs: limit });
});
afterEach(() => renderer.close());

/** Texts that take a Markdown parser minutes or all memory. */
const hostile: [string, string][] = [
  ["emphasis that never closes", "*a_ ".repeat(20_000)],
  ["quotations within quotations", "> ".repeat(5_000)],
  ["brackets that never close", "[".repeat(60_000)],
  ["elements within elements", "<div>".repeat(20_000)],
];

describe("a hostile text", () => {
  test.each(hostile)("of %s doesn't hold up the next one", async (_, text) => {
    const first = renderer.render(text, "a").then(
      ({ html }) => typeof html,
      (error: unknown) => error,
    );
    const second = renderer.render("**next**", "a");
    const outcome = await first;
    if (outcome !== "string") expect(outcome).toBeInstanceOf(TooComplicated);
    expect((await second).html).toBe("<p><strong>next</strong></p>");
  });

  test("is refused after its time limit", async () => {
    await expect(renderer.render("*a_ ".repeat(20_000), "a")).rejects.toThrow(new TooComplicated("it took too long"));
  });

  test.each(["> ", ">", "+ ", "- ", "1. "])("is refused at once when a hundred of %j begin a line", async (marker) => {
    const text = `${marker.repeat(100)}x`;
    await expect(renderer.render(text, "a")).rejects.toThrow(new TooComplicated("Error: it is nested too deeply"));
    expect((await renderer.render(text.slice(marker.length), "a")).html).toBeDefined();
  });

  test("a long line of dashes is not hostile", async () => {
    expect((await renderer.render(`${"-".repeat(300)}\n\n${"*".repeat(300)}`, "a")).html).toBe("<hr>\n<hr>");
  });
});

test("parallel texts get their own results", async () => {
  const texts = Array.from({ length: 20 }, (_, i) => `text ${i}`);
  const rendered = await Promise.all(texts.map((text) => renderer.render(text, "a")));
  expect(rendered.map(({ text }) => text)).toEqual(texts);
});

test("a late response is not returned for the next text", async () => {
  const strict = createRenderer({ script, limitMs: 15 });
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const word = `w${i}w`;
      const text = await strict.render(`${word} `.repeat(i % 2 ? 1 : 1500), "a").then(
        (rendered) => rendered.text,
        () => word,
      );
      return new Set(text.split(/\s+/)).size === 1 && text.startsWith(word);
    }),
  );
  await strict.close();
  expect(outcomes).not.toContain(false);
});

/** Below the limit for long texts. */
const shortHostile = (n: number) => `${n} ${"*a_ ".repeat(4_900)}`;

test.each([
  ["short", shortHostile],
  ["long", (n: number) => `${n} ${"*a_ ".repeat(20_000)}`],
])("one member's %s texts that take long don't come before another's", async (_, hostile) => {
  let ended = 0;
  const end = () => void ended++;
  const hostileTexts = Array.from({ length: 5 }, (_, n) => renderer.render(hostile(n), "hostile").then(end, end));
  expect((await renderer.render("**next**", "b")).html).toBe("<p><strong>next</strong></p>");
  expect((await renderer.render("**and another**", "c")).html).toContain("another");
  expect(ended).toBeLessThanOrEqual(2);
  await Promise.all(hostileTexts);
});

test("each member has an hourly share of their own", async () => {
  const strict = createRenderer({ script, hourlyMs: 200 });
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => strict.render(shortHostile(n), "hostile")));
  const refused = outcomes.filter((each) => each.status === "rejected" && each.reason instanceof BudgetExceeded);
  expect(refused.length).toBeGreaterThanOrEqual(4);
  await expect(strict.render("short", "hostile")).rejects.toThrow(BudgetExceeded);
  expect((await strict.render("short", "b")).text).toBe("short");
  await strict.close();
});

test("a hostile text spends no more than its length allows", async () => {
  const strict = createRenderer({ script, hourlyMs: 600 });
  const limitMs = 200 + shortHostile(1).length * (3 / 1000);
  const refused = (await Promise.allSettled([1, 2, 3].map((n) => strict.render(shortHostile(n), "hostile")))).map(
    (each) => each.status === "rejected" && each.reason,
  );
  // Two stay within the hourly budget, the third exceeds it.
  expect([2 * limitMs < 600, 3 * limitMs > 600]).toEqual([true, true]);
  expect(refused.every((reason) => reason instanceof TooComplicated)).toBe(true);
  await expect(strict.render("short", "hostile")).rejects.toThrow(BudgetExceeded);
  await strict.close();
});

describe("a long text", () => {
  const novel = (word: string) => `# ${word}\n\n${`${word} goes **on**.\n\n`.repeat(2_000)}`;

  test("is rendered once for parallel and later requests", async () => {
    const lenient = createRenderer({ script, limitMs: 20_000 });
    const [first, second] = await Promise.all([lenient.render(novel("sea"), "a"), lenient.render(novel("sea"), "a")]);
    expect(second).toBe(first);
    expect(await lenient.render(novel("sea"), "a")).toBe(first);
    expect((await lenient.render(novel("tide"), "a")).text).not.toBe(first.text);
    await lenient.close();
  });

  test("is tried again after a failure", async () => {
    const strict = createRenderer({ script, limitMs: -10_000 });
    await expect(strict.render(novel("sea"), "a")).rejects.toThrow(TooComplicated);
    await expect(strict.render(novel("sea"), "a")).rejects.toThrow(TooComplicated);
    await strict.close();
  });
});

test("the rendering thread has a lower priority, where threads have one", async () => {
  if (process.platform !== "linux") return;
  await renderer.render("text", "a");
  const niceness = readdirSync("/proc/self/task").map((thread) => {
    const [, afterName = ""] = readFileSync(`/proc/self/task/${thread}/stat`, "utf8").split(") ");
    return Number(afterName.split(" ")[16]);
  });
  expect(niceness.toSorted((one, other) => one - other).at(-1)).toBeGreaterThan(Math.min(...niceness));
});
