import type { Page } from "@playwright/test";
import { postMessage } from "#domain/messages/messages.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { describe } from "../scripts/figures.ts";
import { type MachineLoad, watchMachine } from "../scripts/machine.ts";
import { killableBrowser } from "../tests/faults/killable-browser.ts";
import { addMember, signIn } from "../tests/support/members.ts";
import { startServer } from "../tests/support/process.ts";

/**
 * `npm run bench-live -- 50`: two people look at one conversation in two browsers, so many rounds. Prints how long each thing
 * that is seen live took from the key or click to the other's screen. Everything but typing is safe on the disk before
 * anybody learns of it, and the two browsers and the server want the processor: so beside each stands what a bare write of 4 kB
 * to the same disk and a bare timer took in the same moments.
 */
const rounds = Number(process.argv[2] ?? 50);
const limit = 200;
/** Milliseconds. The site passes on "is typing" once a second, and nobody may write more than 120 messages a minute. */
const roundTakes = 1_100;

const kinds = {
  typing: "that somebody types, from the key to the other's screen",
  shown: "a message, from the key to the other's screen",
  read: "its tick, from the key to the screen of who sent it",
  gone: "a deletion, from the click to the other's screen",
  badge: "the badge on another page, from the key to its number",
};
type Kind = keyof typeof kinds;
type Measurement = MachineLoad & { kind: Kind; took: number };

const server = await startServer({ LOG_LEVEL: "warn" });
const browsers = [killableBrowser(), killableBrowser()] as const;
const times: Measurement[] = [];
try {
  const site = await openSite(readConfig(server.environment), createLog("silent"));
  const [ada, bert] = [await addMember({ site }, "Ada Anders"), await addMember({ site }, "Bert Berger")];
  await postMessage(site, bert, { to: ada.id, text: "Hello", sendId: "hello" });
  const here = await openChat(browsers[0], site, ada, bert);
  const there = await openChat(browsers[1], site, bert, ada);
  await closeSite(site);
  // What is typed before both are connected is told to nobody.
  for (const page of [here, there]) await page.getByText("Online", { exact: true }).waitFor();
  for (let round = 0; round < rounds; round++) await inItsTime(() => converse(here, there, `message ${round}.`));
  await there.goto(`${server.url}/all-posts`);
  await there.waitForLoadState("networkidle");
  for (let unread = 1; unread <= Math.min(90, rounds); unread++) await inItsTime(() => count(here, there, unread));
} finally {
  for (const browser of browsers) await browser.close();
  await server.close();
}
report();

async function openChat(browser: (typeof browsers)[0], site: Site, person: Member, partner: Member): Promise<Page> {
  await browser.start();
  await browser.setCookie((await signIn({ site }, person)).cookie, server.url);
  const page = await browser.open(`${server.url}/messages/${partner.id}`);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => {
    const note = (event: Event) => Object.assign(window, { actedAt: performance.timeOrigin + event.timeStamp });
    for (const kind of ["keydown", "click"]) window.addEventListener(kind, note, { capture: true });
  });
  return page;
}

async function inItsTime(work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  await work();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + roundTakes - performance.now())));
}

async function converse(here: Page, there: Page, text: string): Promise<void> {
  const input = here.getByLabel("Message", { exact: true });
  await measure(here, () => input.press("m"), { typing: seenAt(there, "typing", "typing…") });
  await input.fill(text);
  await measure(here, () => input.press("Enter"), { shown: seenAt(there, "shown", text), read: seenAt(here, "read", text) });
  const bubble = here.getByRole("log").locator("div.group", { hasText: text });
  await bubble.hover();
  await bubble.getByRole("button", { name: "Delete message" }).click();
  const remove = () => here.getByRole("button", { name: "Delete", exact: true }).click();
  await measure(here, remove, { gone: seenAt(there, "gone", text) });
}

async function count(here: Page, there: Page, unread: number): Promise<void> {
  const input = here.getByLabel("Message", { exact: true });
  await input.fill(`counted ${unread}.`);
  await measure(here, () => input.press("Enter"), { badge: seenAt(there, "badge", String(unread)) });
}

/** From the last key or click of what is done here to the moments at which it was seen, and what the machine did meanwhile. */
async function measure(here: Page, act: () => Promise<void>, seen: Partial<Record<Kind, Promise<number>>>): Promise<void> {
  const machine = watchMachine(server.dataDir);
  await act();
  const acted = await here.evaluate(() => (window as unknown as { actedAt: number }).actedAt);
  const took = await Promise.all(Object.entries(seen).map(async ([kind, at]) => ({ kind: kind as Kind, took: (await at) - acted })));
  const beside = await machine.end();
  times.push(...took.map((each) => ({ ...each, ...beside })));
}

/** The moment of the frame in which it is so, by the machine's clock. */
function seenAt(page: Page, wanted: Kind, text: string): Promise<number> {
  return page.evaluate(
    ([wanted, text]) =>
      new Promise<number>((resolve) => {
        const isSo = () => {
          if (wanted === "typing") return Boolean(document.querySelector("[data-chat-theme]")?.textContent?.includes(text));
          if (wanted === "badge") return [...document.querySelectorAll("header a")].some((link) => link.textContent?.includes(text));
          const bubble = [...document.querySelectorAll("[role=log] div.group")].find((each) => each.textContent?.includes(text));
          return wanted === "gone" ? !bubble : Boolean(bubble) && (wanted === "shown" || Boolean(bubble?.textContent?.includes("Read")));
        };
        const look = () => (isSo() ? resolve(performance.timeOrigin + performance.now()) : requestAnimationFrame(look));
        look();
      }),
    [wanted, text] as const,
  );
}

function report(): never {
  for (const [kind, name] of Object.entries(kinds)) {
    const took = times.filter((each) => each.kind === kind).map((each) => each.took);
    console.log(`${name}: ${describe(took)}.`);
  }
  console.log(`the slowest bare write of 4 kB to the same disk meanwhile: ${describe(times.map(({ disk }) => disk))}.`);
  console.log(`the most that a bare timer was late meanwhile: ${describe(times.map(({ timer }) => timer))}.`);
  const late = times.filter(({ took }) => took >= limit);
  for (const { kind, took, disk, timer } of late)
    console.log(
      `late: ${kind} ${Math.round(took)} ms; meanwhile a bare write ${Math.round(disk)} ms, a bare timer ${Math.round(timer)} ms.`,
    );
  process.exit(late.length === 0 ? 0 : 1);
}
