import type { Page } from "@playwright/test";
import { addPost } from "../../support/posts.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "../support/fixtures.ts";
import { expectToast } from "../support/toasts.ts";

test(
  "offline, home keeps its list, and a story without a response leads home (specification §8)",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs, problems }) => {
    const writer = await newMember("Cut Writer");
    const mark = `c${Math.random().toString(36).slice(2, 8)}`;
    for (let index = 1; index <= 14; index++) await addPost({ site }, writer, { id: `${mark}-${index}`, title: `${mark} ${index}` });
    await signInAs(await newMember("Cut Reader"));
    await page.goto(`/?q=${mark}`);
    await waitForHydration(page);
    problems.allow(/Failed to load resource|net::ERR|manifest patches|Failed to fetch/);

    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Load More Posts" }).click();
    await expectToast(page, "Failed to load content. Please try again.");
    await expect(page.getByRole("heading", { name: `${mark} 14` })).toBeVisible();

    await page.context().setOffline(false);
    await page.goto(`/all-posts?q=${mark}`);
    await waitForHydration(page);
    await page.route(/\/post\/.*\.data/, (route) => route.abort());
    await page
      .getByRole("heading", { name: `${mark} 14` })
      .getByRole("link")
      .click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByText("Welcome back")).toBeVisible();
  },
);

test(
  "offline, the first opened story leads home with an error and a retry (specification §8)",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs, problems }) => {
    const writer = await newMember("Far Writer");
    await addPost({ site }, writer, { id: "far-away", title: "Far away" });
    await signInAs(await newMember("Far Reader"));
    await page.goto("/all-posts?q=far+away");
    await waitForHydration(page);
    problems.allow(/Failed to load resource|net::ERR|manifest patches|Failed to fetch/);
    await waitForPrefetch(page);

    await page.context().setOffline(true);
    await page.getByRole("heading", { name: "Far away" }).getByRole("link").click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole("alert")).toContainText("Failed to load content. Please try again.");
    await page.getByRole("banner").getByRole("link", { name: "All Posts" }).click();
    await expect(page.getByRole("alert")).toContainText("Failed to load posts. Please try again.");
    await page.goBack();
    await expect(page.getByRole("alert")).toContainText("Failed to load content. Please try again.");

    await page.context().setOffline(false);
    await page.getByRole("link", { name: "Try Again" }).click();
    await expect(page.getByText("Welcome back")).toBeVisible();
  },
);

/** Waits for the code of readers' pages, which the browser prefetches when idle. */
function waitForPrefetch(page: Page): Promise<unknown> {
  return page.waitForFunction(() => {
    const files: string[] = JSON.parse(document.getElementById("prefetch")?.textContent ?? "[]");
    return files.length > 0 && files.every((file) => performance.getEntriesByName(new URL(file, location.href).href).length > 0);
  });
}
