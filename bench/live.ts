import type { Page } from "@playwright/test";
import { sendMessage } from "#domain/messages/messages.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { type MachineLoad, watchMachine } from "../scripts/machine.ts";
import { describe } from "../scripts/percentiles.ts";
import { killableBrowser } from "../tests/faults/killable-browser.ts";
import { addMember, signIn } from "../tests/support/members.ts";
import { startServer } from "../tests/support/process.ts";
import { withSite } from "./sites.ts";

/**
 * `npm run bench -- live 50`: the given number of rounds of a conversation in two browsers. Prints the times from a key or click to the
 * partner's screen. Everything but typing is durable before it is sent, and browsers and server share the processor, so each is compared with
 * a bare write of 4 kB to the same disk and a bare timer at the same time.
 */
const rounds = Number(process.argv[2] ?? 50);
const limit = 200;
/** The site sends "is typing" once a second, and limits a member to 120 messages a minute. */
const minRoundMs = 1_100;

const kinds = {
  typing: "typing, from the key to the partner's screen",
  shown: "a message, from the key to the partner's screen",
  read: "the read mark, from the key to the sender's screen",
  deleted: "a deletion, from the click to the partner's screen",
  badge: "the badge on another page, from the key to its number",
};
type Kind = keyof typeof kinds;
type Measurement = MachineLoad & { kind: Kind; took: number };

const server = await startServer({ LOG_LEVEL: "warn" });
const browsers = [killableBrowser(), killableBrowser()] as const;
const times: Measurement[] = [];
try {
  const [sender, receiver] = await withSite(server.environment, openChats);
  // Typing isn't sent before both are connected.
  for (const page of [sender, receiver]) await page.getByText("Online", { exact: true }).waitFor();
  for (let round = 0; round < rounds; round++) await runRound(() => exchangeMessages(sender, receiver, `message ${round}.`));
  await receiver.goto(`${server.url}/all-posts`);
  await receiver.waitForLoadState("networkidle");
  for (let unread = 1; unread <= Math.min(90, rounds); unread++) await runRound(() => count(sender, receiver, unread));
} finally {
  for (const browser of browsers) await browser.close();
  await server.close();
}
report();

async function openChats(site: Site): Promise<[sender: Page, receiver: Page]> {
  const [ada, bert] = [await addMember({ site }, "Ada Anders"), await addMember({ site }, "Bert Berger")];
  await sendMessage(site, bert, { to: ada.id, text: "Hello", sendId: "hello" });
  return [await openChat(browsers[0], site, ada, bert), await openChat(browsers[1], site, bert, ada)];
}

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

async function runRound(work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await work();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, start + minRoundMs - performance.now())));
}

async function exchangeMessages(sender: Page, receiver: Page, text: string): Promise<void> {
  const input = sender.getByLabel("Message", { exact: true });
  await measure(sender, () => input.press("m"), { typing: visibleAt(receiver, "typing", "typing…") });
  await input.fill(text);
  await measure(sender, () => input.press("Enter"), { shown: visibleAt(receiver, "shown", text), read: visibleAt(sender, "read", text) });
  const bubble = sender.getByRole("log").locator("div.group", { hasText: text });
  await bubble.hover();
  await bubble.getByRole("button", { name: "Message options" }).click();
  await sender.getByRole("menuitem", { name: "Delete message" }).click();
  const remove = () => sender.getByRole("button", { name: "Delete", exact: true }).click();
  await measure(sender, remove, { deleted: visibleAt(receiver, "deleted", text) });
}

async function count(sender: Page, receiver: Page, unread: number): Promise<void> {
  const input = sender.getByLabel("Message", { exact: true });
  await input.fill(`counted ${unread}.`);
  await measure(sender, () => input.press("Enter"), { badge: visibleAt(receiver, "badge", String(unread)) });
}

/** Times from the last key or click of `act` until it is visible, and the machine's load meanwhile. */
async function measure(sender: Page, act: () => Promise<void>, visible: Partial<Record<Kind, Promise<number>>>): Promise<void> {
  const machine = watchMachine(server.dataDir);
  await act();
  const acted = await sender.evaluate(() => (window as unknown as { actedAt: number }).actedAt);
  const took = await Promise.all(Object.entries(visible).map(async ([kind, at]) => ({ kind: kind as Kind, took: (await at) - acted })));
  const load = await machine.end();
  times.push(...took.map((each) => ({ ...each, ...load })));
}

/** The time of the first frame in which it is visible, by the machine's clock. */
function visibleAt(page: Page, kind: Kind, text: string): Promise<number> {
  return page.evaluate(
    ([kind, text]) =>
      new Promise<number>((resolve) => {
        const isVisible = () => {
          if (kind === "typing") return Boolean(document.querySelector("[data-chat-theme]")?.textContent?.includes(text));
          if (kind === "badge") return [...document.querySelectorAll("header a")].some((link) => link.textContent?.includes(text));
          const bubble = [...document.querySelectorAll("[role=log] div.group")].find((each) => each.textContent?.includes(text));
          return kind === "deleted" ? !bubble : Boolean(bubble) && (kind === "shown" || Boolean(bubble?.textContent?.includes("Read")));
        };
        const check = () => (isVisible() ? resolve(performance.timeOrigin + performance.now()) : requestAnimationFrame(check));
        check();
      }),
    [kind, text] as const,
  );
}

function report(): never {
  for (const [kind, name] of Object.entries(kinds)) {
    const took = times.filter((each) => each.kind === kind).map((each) => each.took);
    console.log(`${name}: ${describe(took)}.`);
  }
  console.log(`the slowest bare write of 4 kB to the same disk meanwhile: ${describe(times.map(({ disk }) => disk))}.`);
  console.log(`the longest delay of a bare timer meanwhile: ${describe(times.map(({ timer }) => timer))}.`);
  const late = times.filter(({ took }) => took >= limit);
  for (const { kind, took, disk, timer } of late)
    console.log(
      `late: ${kind} ${Math.round(took)} ms; meanwhile a bare write ${Math.round(disk)} ms, a bare timer ${Math.round(timer)} ms.`,
    );
  process.exit(late.length === 0 ? 0 : 1);
}
