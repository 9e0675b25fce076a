import type { Page } from "@playwright/test";
import { createPost } from "#domain/posts/posts.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { addMember, signIn } from "../support/members.ts";
import { picture } from "../support/pictures.ts";
import { type RunningServer, startServer } from "../support/process.ts";
import { type KillableBrowser, killableBrowser } from "./killable-browser.ts";
import { type SmallDisk, smallDisk } from "./small-disks.ts";

/** Milliseconds of typing that were lost, and the longest time a word took to appear. */
export type Loss = { fault: FaultName; lost: number; slowest: number };

type Context = { server: RunningServer; browser: KillableBrowser; site: Site; writer: Member; disk: SmallDisk | undefined; typing: Typing };

/** `repair`: the writer returns. */
type Fault = { cause(context: Context): Promise<void>; repair(context: Context): Promise<void> };

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const waitRandomly = () => wait(300 + Math.random() * 2500);

const killBrowser = async ({ browser, typing }: Context) => {
  typing.stop();
  await browser.kill();
};

/** Chromium saves cookies every half minute; a real writer has been signed in longer. */
async function startBrowser({ browser, site, writer, server }: Context): Promise<void> {
  await browser.start();
  await browser.setCookie((await signIn({ site }, writer)).cookie, server.url);
}

export const faults = {
  "browser killed": { cause: killBrowser, repair: startBrowser },
  "server killed, then the browser": {
    async cause(context) {
      await context.server.kill();
      await waitRandomly();
      await killBrowser(context);
    },
    async repair(context) {
      await context.server.start();
      await startBrowser(context);
    },
  },
  "server killed and started again": {
    async cause({ server, typing }) {
      await server.kill();
      await waitRandomly();
      typing.stop();
    },
    repair: ({ server }) => server.start(),
  },
  "connection cut, then the browser killed": {
    async cause(context) {
      await context.browser.setOffline(true);
      await waitRandomly();
      await killBrowser(context);
    },
    repair: startBrowser,
  },
  "tab closed": {
    async cause({ typing }) {
      typing.stop();
      await typing.page.close({ runBeforeUnload: false });
    },
    repair: async () => {},
  },
  "session ended, then the tab closed": {
    async cause({ site, writer, typing }) {
      await site.db.deleteFrom("sessions").where("userId", "=", writer.id).execute();
      await waitRandomly();
      typing.stop();
      await typing.page.close({ runBeforeUnload: false });
    },
    async repair({ site, writer, browser, server }) {
      await browser.setCookie((await signIn({ site }, writer)).cookie, server.url);
    },
  },
  "disk full, then the browser killed": {
    async cause(context) {
      context.disk?.leave(0, "");
      await waitRandomly();
      await killBrowser(context);
    },
    async repair(context) {
      context.disk?.makeRoom();
      await startBrowser(context);
    },
  },
  "machine lost": {
    async cause({ browser, typing }) {
      typing.stop();
      await browser.replace();
    },
    repair: startBrowser,
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** Types numbered words and records their times until `stop`. */
class Typing {
  readonly page: Page;
  readonly words: { text: string; at: number }[] = [];
  stoppedAt = Number.POSITIVE_INFINITY;
  slowest = 0;
  #done: Promise<void>;

  constructor(page: Page) {
    this.page = page;
    this.#done = this.#type();
  }

  async #type() {
    try {
      while (this.stoppedAt === Number.POSITIVE_INFINITY) {
        const at = Date.now();
        const text = `w${this.words.length} `;
        this.words.push({ text, at });
        await this.page.keyboard.type(text);
        this.slowest = Math.max(this.slowest, Date.now() - at);
        await wait(Math.random() < 0.1 ? Math.random() * 1500 : Math.random() * 120);
      }
    } catch {
      // The page was closed.
    }
  }

  stop(): void {
    this.stoppedAt = Math.min(this.stoppedAt, Date.now());
  }

  end(): Promise<void> {
    return this.#done;
  }

  /** @throws Error when the restored text is not a beginning of the typed one. */
  lost(restored: string): number {
    const typed = this.words.map(({ text }) => text).join("");
    // A trailing blank is invisible.
    if (!`${typed} `.startsWith(restored)) throw new Error(`The restored text differs: “${restored.slice(-80)}” of “${typed.slice(-80)}”`);
    let length = 0;
    const missing = this.words.find(({ text }) => {
      length += text.length;
      return length - 1 > restored.length;
    });
    return missing ? Math.max(0, this.stoppedAt - missing.at) : 0;
  }
}

/**
 * Types in a real browser, causes a fault at a random moment, opens the page again, and measures the loss. @throws Error when the text
 * differs from the typed one.
 */
export async function typeUnderFaults(names: FaultName[], report: (loss: Loss, run: number) => void = () => {}): Promise<Loss[]> {
  const disk = names.includes("disk full, then the browser killed") ? smallDisk("24m") : undefined;
  const server = await startServer(disk ? { DATA_DIR: disk.folder } : {});
  const site = await openSite(readConfig(server.environment), createLog("silent"));
  const browser = killableBrowser();
  const losses: Loss[] = [];
  try {
    await browser.start();
    for (const [run, fault] of names.entries()) {
      const loss = await runOnce({ server, browser, site, disk }, fault, run);
      losses.push(loss);
      report(loss, run + 1);
    }
  } finally {
    await browser.close();
    await closeSite(site);
    await server.close();
    disk?.remove();
  }
  return losses;
}

/** A new writer for each run, so that no text of another run is restored. */
async function runOnce(parts: Omit<Context, "typing" | "writer">, fault: FaultName, run: number): Promise<Loss> {
  const { site, browser, server } = parts;
  const writer = await addMember({ site }, `Writer ${run}`);
  await browser.setCookie((await signIn({ site }, writer)).cookie, server.url);
  const edits = run % 3 === 2;
  const slug = `story-${run}`;
  if (edits) await createPost(site, writer, { title: "Once", slug, content: "", status: "active" }, await picture());
  const address = `${server.url}${edits ? `/edit-post/${slug}` : "/add-post"}`;
  const page = await browser.open(address);
  await page.locator(".cm-content").click();
  const typing = new Typing(page);
  const context: Context = { ...parts, writer, typing };
  await wait(500 + Math.random() * 4000);
  await faults[fault].cause(context);
  await typing.end();
  await faults[fault].repair(context);
  const back = page.isClosed() || fault !== "server killed and started again" ? await browser.open(address) : page;
  const restored = await textOf(back);
  await back.close({ runBeforeUnload: false });
  return { fault, lost: typing.lost(restored), slowest: typing.slowest };
}

/** The editor's text once it is stable and saved. */
async function textOf(page: Page): Promise<string> {
  await page.locator(".cm-content").waitFor();
  await page.waitForTimeout(1_200);
  const saved = page.getByText("Saved", { exact: true });
  const placeholder = page.locator(".cm-placeholder");
  // A machine lost before its first save restores nothing and never shows Saved: all of it counts as lost.
  await saved
    .or(placeholder)
    .waitFor({ timeout: 20_000 })
    .catch(() => {});
  if (await placeholder.isVisible()) await saved.waitFor({ timeout: 5_000 }).catch(() => {});
  if ((await placeholder.count()) > 0) return "";
  return (await page.locator(".cm-line").first().textContent()) ?? "";
}
