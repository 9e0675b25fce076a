import { type BrowserContext, test as base, expect, type Page, type Route } from "@playwright/test";
import type { Member, Site } from "#domain/site.ts";
import { readConfig } from "#platform/config.ts";
import type { Engine } from "#platform/database/engine.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { findViolations } from "../../support/browsers/accessibility.ts";
import { addMember, signIn } from "../../support/members.ts";
import { type Problems, watch } from "./problems.ts";
import { type JourneyServer, serverOf } from "./servers.ts";
import { recordToasts } from "./toasts.ts";

export { expect } from "@playwright/test";

type Fixtures = {
  /** Fails the test on any error in the browser; `problems.allow(/…/)` permits an expected one. */
  problems: Problems;
  /** A confirmed member, created without the screens. */
  newMember: (name: string, chosen?: Partial<Member>) => Promise<Member>;
  /** Signs the test's browser in. */
  signInAs: (person: Member) => Promise<void>;
  /** A new browser context, signed in or not. */
  openBrowser: (person?: Member) => Promise<Page>;
};

/** On SQLite only: journeys about the browser, whose queries the domain tests cover on both engines. */
export const inBrowserOnly = { tag: "@browser" };

/** Set by the projects of playwright.config.ts. */
export type JourneyOptions = { engine: Engine };

type WorkerFixtures = JourneyOptions & {
  server: JourneyServer;
  /** The running site's database and files, opened by the test, for seeding and checking. */
  site: Site;
};

let lastIp = 0;

/** Rate limits go by address, so every browser has its own. */
function nextIp(workerIndex: number): string {
  lastIp++;
  return `10.${workerIndex % 256}.${lastIp >> 8}.${lastIp & 255}`;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  engine: ["sqlite", { option: true, scope: "worker" }],

  server: [
    async ({ engine }, use, { parallelIndex }) => {
      await use(serverOf(engine, parallelIndex));
    },
    { scope: "worker" },
  ],

  baseURL: async ({ server }, use) => {
    await use(server.url);
  },

  site: [
    async ({ server }, use) => {
      const site = await openSite(readConfig(server.environment), createLog("silent"));
      await use(site);
      await closeSite(site);
    },
    { scope: "worker" },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants an object pattern.
  extraHTTPHeaders: async ({}, use, { workerIndex }) => {
    await use({ "x-forwarded-for": nextIp(workerIndex) });
  },

  problems: [
    async ({ context }, use) => {
      const problems = watch(context);
      await recordToasts(context);
      await use(problems);
      expect(problems.list(), "errors in the browser").toEqual([]);
    },
    { auto: true },
  ],

  newMember: async ({ site }, use) => {
    await use((name, chosen) => addMember({ site }, name, { email: uniqueEmail(name), ...chosen }));
  },

  signInAs: async ({ site, context, baseURL }, use) => {
    await use((person) => addSession(site, context, String(baseURL), person));
  },

  openBrowser: async ({ browser, site, baseURL, problems }, use, { workerIndex }) => {
    const opened: BrowserContext[] = [];
    await use(async (person) => {
      const context = await browser.newContext({ extraHTTPHeaders: { "x-forwarded-for": nextIp(workerIndex) } });
      opened.push(context);
      problems.alsoWatch(context);
      await recordToasts(context);
      if (person) await addSession(site, context, String(baseURL), person);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
});

async function addSession(site: Site, context: BrowserContext, url: string, person: Member): Promise<void> {
  const { cookie } = await signIn({ site }, person);
  const [name = "", value = ""] = cookie.split("=", 2);
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
}

/** `ada.lovelace.k3f9@example.com`, unique in this run. */
export function uniqueEmail(name: string): string {
  const stem = name.toLowerCase().replaceAll(/\W+/g, ".");
  return `${stem}.${Math.random().toString(36).slice(2, 8)}@example.com`;
}

/** Expects no axe violation. On SQLite only: the PostgreSQL journeys show the same screens. */
export async function expectAccessible(page: Page): Promise<void> {
  if (test.info().project.name === "postgres") return;
  expect(await findViolations(page), `accessibility of ${page.url()}`).toEqual([]);
}

/** Waits for hydration; before it, a click follows a plain link or posts a plain form. */
export async function waitForHydration(page: Page): Promise<void> {
  // React marks elements when it hydrates them, the outermost last, and then runs effects.
  await page.waitForFunction(() => Object.keys(document.documentElement).some((key) => key.startsWith("__reactFiber")));
  await page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done())));
}

/** Holds the next response to these addresses until the returned function is called. */
export async function holdResponse(page: Page, lastIp: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await promise;
    await route.continue();
  };
  await page.route(lastIp, hold, { times: 1 });
  return resolve;
}

/** Waits for text without JavaScript, also in `<noscript>`, which locators don't see. */
export async function expectText(page: Page, words: string): Promise<void> {
  await expect.poll(() => page.locator("body").innerText()).toContain(words);
}
