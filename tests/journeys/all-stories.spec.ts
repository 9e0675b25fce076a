import { addStory } from "../stories.ts";
import { expect, expectAccessible, hydrated, inBrowserOnly, test } from "./fixtures.ts";
import { toasted } from "./toasts.ts";

test("a reader sorts all stories, loads more, keeps the list when the network goes, and finds their view again", async ({
  page,
  site,
  newMember,
  signInAs,
  problems,
}) => {
  const writer = await newMember("Lists Writer");
  const mark = `m${Math.random().toString(36).slice(2, 8)}`;
  for (let index = 1; index <= 14; index++)
    await addStory({ site }, writer, {
      id: `${mark}-${index}`,
      title: `${mark} ${String(index).padStart(2, "0")}`,
      createdAt: Date.now() + index,
    });
  await signInAs(await newMember("Lists Reader"));

  await page.goto(`/all-posts?q=${mark}&sort=newest`);
  await hydrated(page);
  await expect(page.getByText("Showing 12 of 14 stories")).toBeVisible();
  const first = page.getByRole("heading", { level: 2 }).first();
  await expect(first).toHaveText(`${mark} 14`);

  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Sort by").selectOption("Title A-Z");
  await expect(first).toHaveText(`${mark} 01`);
  await expect(page).toHaveURL(/sort=title/);
  await expectAccessible(page);

  problems.allow(/Failed to load resource|net::ERR|manifest patches/);
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Load More Stories" }).click();
  await toasted(page, "Failed to load posts. Please try again.");
  await expect(page.getByText("Showing 12 of 14 stories")).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Load More Stories" }).click();
  await expect(page.getByText("Showing 14 of 14 stories")).toBeVisible();
  await expect(page.getByText("0 to go")).toBeVisible();

  await page.getByRole("link", { name: "List", exact: true }).click();
  await expect(page).toHaveURL(/view=list/);
  await page.goto(`/all-posts?q=${mark}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Filters" }).click();
  await expect(page.getByRole("link", { name: "List", exact: true })).toHaveAttribute("aria-current", "true");
  await expectAccessible(page);
});

test(
  "home remembers its figures for a while, and Refresh asks for them anew",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs }) => {
    const member = await newMember("Figures Reader");
    await signInAs(member);
    await page.goto("/");
    await hydrated(page);
    const stories = page.locator("dl div", { hasText: "Your Stories" }).locator("dd");
    await expect(stories).toHaveText("0");
    await addStory({ site }, member, { id: `f${Math.random().toString(36).slice(2, 8)}`, title: "Counted" });
    await page.getByRole("link", { name: "Trending" }).click();
    await expect(page).toHaveURL(/tab=trending/);
    await expect(stories).toHaveText("0");
    await page.getByRole("link", { name: "Refresh" }).click();
    await expect(stories).toHaveText("1");
    await expectAccessible(page);
  },
);
