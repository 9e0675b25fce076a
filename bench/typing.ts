import type { Page } from "@playwright/test";
import { createPost } from "#domain/posts/posts.server.ts";
import type { Site } from "#domain/site.ts";
import { type MachineLoad, watchMachine } from "../scripts/machine.ts";
import { mainThreadTasks } from "../scripts/main-thread.ts";
import { describe } from "../scripts/percentiles.ts";
import { killableBrowser } from "../tests/faults/killable-browser.ts";
import { addMember, signIn } from "../tests/support/members.ts";
import { picture } from "../tests/support/pictures.ts";
import { startServer } from "../tests/support/process.ts";
import { withSite } from "./sites.ts";

/**
 * `npm run bench -- typing 200000 200`: opens a story of the given length in a real browser and presses the given number of keys in its middle,
 * alternating with a short story, so that other load affects both. Prints times from key to frame, the first after opening apart, the
 * longest task of the main thread, save times, and the time from a click on Update Post right after the last key to its confirmation. Fails
 * above `limits`.
 */
const characters = Number(process.argv[2] ?? 200_000);
const keys = Number(process.argv[3] ?? 200);
const turns = 4;
const updates = 5;
const openings = 10;
const limits = { task: 50, save: 1_000, update: 1_500 };

const paragraph =
  "The tide table is a **small green book** that costs four pounds and is wrong about *nothing*. I bought mine from the [chandlery](https://example.com) on the quay, the spring I moved into the keeper’s cottage with two suitcases.\n\n";
const heading = "## What the list leaves out\n\n- one brass telescope, cracked\n- two kettles\n\n";
const chapter = paragraph.repeat(6) + heading;
const textOf = (length: number) => chapter.repeat(Math.ceil(length / chapter.length)).slice(0, length);

const server = await startServer({ LOG_LEVEL: "warn" });
const browser = killableBrowser();
const saves: number[] = [];
const loads: MachineLoad[] = [];
try {
  await browser.start();
  await withSite(server.environment, prepare);
  await typeFirstKeys();
  const [novel, note] = [await openPost("novel", characters), await openPost("note", 1_000)];
  const posts = [novel, note];
  for (let turn = 0; turn < turns; turn++) for (const post of posts) await type(post, Math.ceil(keys / turns));
  for (const { name, keyTimes, tasks } of posts) {
    const over = keyTimes.filter((time) => time > limits.task).length;
    console.log(`${name}, from a key to its frame: ${describe(keyTimes)}; ${over} over ${limits.task} ms.`);
    console.log(`${name}, tasks of the main thread meanwhile: ${describe(tasks)}.`);
  }
  const updated = await update(novel.page);
  const disk = describe(loads.map((each) => each.disk));
  console.log(`${saves.length} saves while typing: ${describe(saves)}.`);
  console.log(`Update Post, from the click to its confirmation: ${describe(updated)}.`);
  console.log(`During the updates, the slowest bare write of 4 kB to the same disk: ${disk}.`);
  const withinLimits = [Math.max(...novel.tasks) < limits.task, Math.max(...saves) < limits.save, Math.max(...updated) < limits.update];
  process.exitCode = withinLimits.every(Boolean) ? 0 : 1;
} finally {
  await browser.close();
  await server.close();
}
process.exit();

async function prepare(site: Site): Promise<void> {
  const writer = await addMember({ site }, "Nora Novel");
  const { cookie } = await signIn({ site }, writer);
  for (const [slug, length] of [
    ["novel", characters],
    ["note", 1_000],
  ] as const)
    await createPost(site, writer, { title: "A Novel", slug, content: textOf(length), status: "active" }, await picture());
  await browser.setCookie(cookie, server.url);
}

type Post = { name: string; page: Page; keyTimes: number[]; tasks: number[] };

async function openPost(slug: string, length: number): Promise<Post> {
  const page = await browser.open(`${server.url}/edit-post/${slug}`);
  page.on("requestfinished", (request) => {
    if (request.url().endsWith("/drafts/save")) saves.push(request.timing().responseEnd);
  });
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  if (length > 10_000) for (let n = 0; n < 5; n++) await page.keyboard.press("PageDown");
  await page.evaluate(() => {
    const durations: number[] = [];
    Object.assign(window, { durations });
    const options = { type: "event", buffered: false, durationThreshold: 16 } as PerformanceObserverInit;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === "keydown") durations.push(entry.duration);
    }).observe(options);
  });
  return { name: `${length.toLocaleString("en")} characters`, page, keyTimes: [], tasks: [] };
}

/** Code of the browser runs for the first time here. */
async function typeFirstKeys(): Promise<void> {
  const lengths = { novel: characters, note: 1_000 };
  const all: Post[] = [];
  for (let n = 0; n < openings; n++)
    for (const [slug, length] of Object.entries(lengths)) {
      const post = await openPost(slug, length);
      await post.page.waitForTimeout(1_000);
      await type(post, 1);
      await post.page.close();
      all.push(post);
    }
  for (const name of new Set(all.map((post) => post.name))) {
    const posts = all.filter((post) => post.name === name);
    const tasks = posts.map((post) => Math.max(...post.tasks));
    console.log(`${name}, the first key after opening: ${describe(posts.flatMap(({ keyTimes }) => keyTimes))}.`);
    console.log(`${name}, the longest task of the main thread for it: ${describe(tasks)}.`);
  }
}

async function type({ page, keyTimes, tasks }: Post, count: number): Promise<void> {
  await page.bringToFront();
  // Discards the keys that moved the cursor.
  await takeDurations(page);
  const press = async () => {
    for (let n = 0; n < count; n++) {
      await page.keyboard.press("abcdefgh ".charAt(n % 9));
      await page.waitForTimeout(30);
    }
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.waitForTimeout(300);
  };
  tasks.push(...(await mainThreadTasks(page, press)));
  const durations = await takeDurations(page);
  // A key drawn with the next frame isn't reported.
  keyTimes.push(...durations, ...new Array<number>(Math.max(0, count - durations.length)).fill(16));
}

function takeDurations(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { durations: number[] }).durations.splice(0));
}

/** On a newly opened page, right after the last key. */
async function update(page: Page): Promise<number[]> {
  const times: number[] = [];
  await page.bringToFront();
  for (let n = 0; n < updates; n++) {
    await page.goto(`${server.url}/edit-post/novel`);
    await page.locator(".cm-content").click();
    for (const key of "Update ") await page.keyboard.press(key);
    const machine = watchMachine(server.dataDir);
    const confirmed = page.evaluate(timeFromClick, "Post updated successfully!");
    await page.getByRole("button", { name: "Update Post" }).click();
    times.push(await confirmed);
    loads.push(await machine.end());
  }
  return times;
}

/** In the page: from the next click to the frame with the text. */
function timeFromClick(text: string): Promise<number> {
  return new Promise((resolve) => {
    const clicked = ({ timeStamp }: Event) => {
      const isShown = () => [...document.querySelectorAll("[role=status]")].some(({ textContent }) => textContent?.includes(text));
      const check = () => (isShown() ? resolve(performance.now() - timeStamp) : requestAnimationFrame(check));
      check();
    };
    window.addEventListener("click", clicked, { capture: true, once: true });
  });
}
