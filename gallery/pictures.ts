import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { findViolations } from "../tests/support/browsers/accessibility.ts";
import { pathOf, type Screen } from "./screens.ts";
import type { GallerySite } from "./sites.ts";

/** `axe`: check the accessibility; other widths hardly differ. */
export type View = { name: string; width: number; dark?: boolean; axe?: boolean };
export type Picture = { screen: Screen; view: View; file: string };
export type Fault = { screen: Screen; text: string };

export const views: View[] = [
  { name: "1440", width: 1440, axe: true },
  { name: "1440 dark", width: 1440, dark: true },
  { name: "768", width: 768 },
  { name: "390", width: 390 },
  { name: "390 dark", width: 390, dark: true, axe: true },
  { name: "320", width: 320 },
];

const height = 900;
/** Pixels. Longer pages are cut off. */
const maxPictureHeight = 2_400;

/** A screen that can’t be opened, returns an error or throws one is a fault; the others continue. */
export async function takePictures(
  browser: Browser,
  sites: { full: GallerySite; empty: GallerySite },
  { screens, views, folder }: { screens: Screen[]; views: View[]; folder: string },
): Promise<{ pictures: Picture[]; faults: Fault[] }> {
  mkdirSync(folder, { recursive: true });
  const pictures: Picture[] = [];
  const faults: Fault[] = [];
  const queue = screens.map((screen, index) => ({ screen, index }));
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { screen, index } = next;
      const shoot = (page: Page) => shootViews(page, screen, { views, folder, name: String(index).padStart(3, "0") });
      try {
        pictures.push(...(await withScreen(browser, sites[screen.on ?? "full"], screen, shoot)));
      } catch (error) {
        faults.push({ screen, text: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  await Promise.all([work(), work()]);
  return { pictures, faults };
}

async function withScreen<Result>(
  browser: Browser,
  { server, cookies, ids }: GallerySite,
  screen: Screen,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: "reduce", viewport: { width: 1440, height } });
  try {
    await signIn(context, server.url, cookies[screen.as]);
    const page = await context.newPage();
    const thrown: string[] = [];
    page.on("pageerror", (error) => thrown.push(error.message));
    const response = await page.goto(pathOf(screen, ids), { waitUntil: "load" });
    const status = response?.status() ?? 0;
    if (status >= 400 && screen.route !== "404") throw new Error(`returned ${status}`);
    await screen.act?.(page);
    const result = await work(page);
    if (thrown.length > 0) throw new Error(`an error in the page: ${thrown.join(", ")}`);
    return result;
  } finally {
    await context.close();
  }
}

async function signIn(context: BrowserContext, url: string, cookie: string | undefined): Promise<void> {
  if (!cookie) return;
  const [name = "", value = ""] = cookie.split("=", 2);
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
}

/** Loads lazy images too. */
async function loadImages(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const image of document.images) image.loading = "eager";
  });
  const loaded = page.waitForFunction(() => [...document.images].every((image) => image.complete), undefined, { timeout: 5_000 });
  // A missing image shows in the picture.
  await loaded.catch(() => {});
}

type ShotOptions = { views: View[]; folder: string; name: string };

async function shootViews(page: Page, screen: Screen, { views, folder, name }: ShotOptions): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const view of views) {
    await page.emulateMedia({ colorScheme: view.dark ? "dark" : "light", reducedMotion: "reduce" });
    await page.setViewportSize({ width: view.width, height });
    await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, view.dark ? "dark" : "light");
    await page
      .waitForFunction((maxWidth) => document.documentElement.scrollWidth <= maxWidth, view.width, { timeout: 10_000 })
      .catch(() => Promise.reject(new Error(`scrolls sideways at ${view.width}`)));
    await loadImages(page);
    const full = await page.evaluate(() => document.documentElement.scrollHeight);
    const file = `${name}-${view.name.replace(" ", "-")}.jpg`;
    const clip = { x: 0, y: 0, width: view.width, height: Math.min(maxPictureHeight, full) };
    await page.screenshot({ path: join(folder, file), type: "jpeg", quality: 70, fullPage: true, clip });
    pictures.push({ screen, view, file });
    const violations = view.axe ? await findViolations(page) : [];
    if (violations.length > 0) throw new Error(`accessibility at ${view.name}: ${violations.join("\n")}`);
  }
  return pictures;
}
