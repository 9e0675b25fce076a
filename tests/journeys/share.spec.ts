import type { Locator, Page } from "@playwright/test";
import { addPost } from "../support/posts.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";

const uniqueId = () => `s${Math.random().toString(36).slice(2, 10)}`;

/** At the top right; a toast stays while the pointer is over it, so the pointer moves away. */
async function expectInCorner(page: Page, toast: Locator): Promise<void> {
  await expect(toast).toBeInViewport();
  await page.mouse.move(10, 500);
  const { x = 0, y = 0, width = 0 } = (await toast.boundingBox()) ?? {};
  const { width: whole, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(x).toBeGreaterThan(whole / 2);
  expect(whole - x - width).toBeLessThan(40);
  expect(y).toBeLessThan(height / 3);
}

test(
  "the share menu copies the address; it and a toast confirm it for two seconds",
  inBrowserOnly,
  async ({ page, site, newMember, context, baseURL }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const id = await addPost({ site }, await newMember("Ed Author"), { id: uniqueId() });
    await page.clock.install();
    await page.goto(`/post/${id}`);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Share" }).first().click();
    await expect(page.getByRole("menuitem", { name: "Twitter" })).toBeVisible();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole("menuitem", { name: "Copy Link" }).click();
    const toast = page.getByRole("status").filter({ hasText: "Link copied to clipboard!" });
    await expect(page.getByRole("menuitem", { name: "Copied!" })).toBeVisible();
    await expectInCorner(page, toast);
    // The toast covers no part of the menu.
    for (const name of ["Twitter", "LinkedIn"]) await page.getByRole("menuitem", { name }).click({ trial: true });
    await page.mouse.move(10, 500);
    await page.clock.runFor(1_900);
    await expect(page.getByRole("menuitem", { name: "Copied!" })).toBeVisible();
    await expect(toast).toBeVisible();
    await page.clock.runFor(200);
    await expect(page.getByRole("menuitem", { name: "Copy Link" })).toBeVisible();
    await expect(toast).toHaveCount(0);
    await page.clock.resume();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/post/${id}`);
    const url = encodeURIComponent(`${baseURL}/post/${id}`);
    const title = encodeURIComponent((await page.locator("h1").textContent()) ?? "");
    for (const [name, address] of [
      ["Twitter", `https://twitter.com/intent/tweet?url=${url}&text=${title}`],
      ["Facebook", `https://www.facebook.com/sharer/sharer.php?u=${url}`],
      ["LinkedIn", `https://www.linkedin.com/sharing/share-offsite/?url=${url}`],
    ] as const) {
      await expect(page.getByRole("menuitem", { name })).toHaveAttribute("href", address);
    }
  },
);

test(
  "the native dialog is used if there is one, and a clipboard error is shown for four seconds",
  inBrowserOnly,
  async ({ page, site, newMember, baseURL }) => {
    const id = await addPost({ site }, await newMember("Eva Author"), { id: uniqueId() });
    await page.addInitScript(() => {
      Object.assign(navigator, { share: async (what: object) => Object.assign(window, { shared: what }) });
      navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
    });
    await page.clock.install();
    await page.goto(`/post/${id}`);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Share" }).first().click();
    await page.getByRole("menuitem", { name: "More" }).click();
    const shared = () => page.evaluate(() => (window as unknown as { shared?: { url: string } }).shared?.url);
    await expect.poll(shared).toBe(`${baseURL}/post/${id}`);
    await page.getByRole("button", { name: "Share" }).first().click();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole("menuitem", { name: "Copy Link" }).click();
    const toast = page.getByRole("alert").filter({ hasText: "Failed to copy link" });
    await expectInCorner(page, toast);
    await page.clock.runFor(3_900);
    await expect(toast).toBeVisible();
    await page.clock.runFor(200);
    await expect(toast).toHaveCount(0);
  },
);

test(
  "a toast disappears after the pointer crossed it quickly on a busy page",
  inBrowserOnly,
  async ({ page, site, newMember, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const id = await addPost({ site }, await newMember("Ed Author"), { id: uniqueId() });
    await page.goto(`/post/${id}`);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Share" }).first().click();
    await page.getByRole("menuitem", { name: "Copy Link" }).click();
    const toast = page.getByRole("status").filter({ hasText: "Link copied to clipboard!" });
    await expect(toast).toBeVisible();
    await page.mouse.move(10, 500);
    // In and out before the next frame.
    await toast.evaluate((card) => {
      const move = (from: Element, to: Element) => from.dispatchEvent(new MouseEvent("mouseout", { bubbles: true, relatedTarget: to }));
      move(document.body, card);
      move(card, document.body);
    });
    await expect(toast).toHaveCount(0);
  },
);
