import { addPost } from "../support/posts.ts";
import { expect, expectAccessible, holdResponse, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { expectToast } from "./support/toasts.ts";

test(
  "a reader sorts all stories, loads more, keeps the list offline, and returns to the same view",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs, problems }) => {
    const writer = await newMember("Lists Writer");
    const mark = `m${Math.random().toString(36).slice(2, 8)}`;
    for (let index = 1; index <= 14; index++)
      await addPost({ site }, writer, {
        id: `${mark}-${index}`,
        title: `${mark} ${String(index).padStart(2, "0")}`,
        createdAt: Date.now() + index,
      });
    await signInAs(await newMember("Lists Reader"));

    await page.goto("/notices");
    await waitForHydration(page);
    const openList = await holdResponse(page, "**/all-posts.data**");
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "All Posts" });
    await link.click();
    await expect(link.locator("span")).toHaveCount(1);
    openList();
    await expect(page.getByRole("heading", { name: "All Stories" })).toBeVisible();

    await page.goto(`/all-posts?q=${mark}&sort=newest`);
    await waitForHydration(page);
    await expect(page.getByText("Showing 12 of 14 stories")).toBeVisible();
    const first = page.getByRole("heading", { level: 2 }).first();
    await expect(first).toHaveText(`${mark} 14`);

    await page.getByRole("button", { name: "Filters" }).click();
    const skeletons = page.locator("[aria-busy=true] > [aria-hidden=true]");
    let release = await holdResponse(page, "**/all-posts.data**");
    await page.getByLabel("Sort by").selectOption("Title A-Z");
    await expect(skeletons).toHaveCount(8);
    release();
    await expect(first).toHaveText(`${mark} 01`);
    await expect(page).toHaveURL(/sort=title/);
    await addPost({ site }, writer, { id: `${mark}-0`, title: `${mark} 00` });
    await page.getByRole("link", { name: "Refresh" }).click();
    await expect(first).toHaveText(`${mark} 00`);
    await expectAccessible(page);

    problems.allow(/Failed to load resource|net::ERR|manifest patches/);
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Load More Stories" }).click();
    await expectToast(page, "Failed to load posts. Please try again.");
    await expect(page.getByText("Showing 12 of 15 stories")).toBeVisible();
    await page.context().setOffline(false);
    release = await holdResponse(page, "**/all-posts.data**");
    await page.getByRole("link", { name: "Load More Stories" }).click();
    await expect(skeletons).toHaveCount(4);
    release();
    await expect(page.getByText("Showing 15 of 15 stories")).toBeVisible();
    await expect(page.getByText("0 to go")).toBeVisible();
    await expect(skeletons).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Load More Stories" })).toHaveCount(0);

    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(600);
    await page.getByRole("button", { name: "Scroll to top" }).click();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);

    // Another order starts at its first page.
    await page.getByLabel("Sort by").selectOption("Newest first");
    await expect(page.getByText("Showing 12 of 15 stories")).toBeVisible();
    await page.getByRole("link", { name: "Load More Stories" }).click();
    await expect(page.getByText("Showing 15 of 15 stories")).toBeVisible();

    await page.getByRole("link", { name: "List", exact: true }).click();
    await expect(page).toHaveURL(/view=list/);
    release = await holdResponse(page, "**/all-posts.data**");
    await page.getByRole("banner").getByRole("combobox", { name: "Search posts..." }).fill(`${mark} 01`);
    await expect(skeletons).toHaveCount(8);
    release();
    await expect(page.getByText("Showing 1 of 1 story")).toBeVisible();
    await expect(page).toHaveURL(/view=list/);
    await page.goto(`/all-posts?q=${mark}`);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Filters" }).click();
    await expect(page.getByRole("link", { name: "List", exact: true })).toHaveAttribute("aria-current", "true");
    await expectAccessible(page);
  },
);

test("home caches its figures until Refresh", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const member = await newMember("Figures Reader");
  await signInAs(member);
  await page.goto("/");
  await waitForHydration(page);
  const posts = page.locator("dl div", { hasText: "Your Stories" }).locator("dd");
  await expect(posts).toHaveText("0");
  await addPost({ site }, member, { id: `f${Math.random().toString(36).slice(2, 8)}`, title: "Counted" });
  const trending = page.getByRole("link", { name: "Trending" });
  await trending.click();
  await expect(trending).toHaveAttribute("aria-current", "page");
  await expect(posts).toHaveText("0");
  const refresh = page.getByRole("link", { name: "Refresh" });
  const release = await holdResponse(page, "**/_*.data*");
  await refresh.click();
  await expect(refresh).toHaveAttribute("aria-busy", "true");
  release();
  await expect(refresh).not.toHaveAttribute("aria-busy");
  await expect(posts).toHaveText("1");
  await expectAccessible(page);
});

test("home shows skeletons for stories that take longer than 300 ms", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const member = await newMember("Slow Reader");
  const mark = `s${Math.random().toString(36).slice(2, 8)}`;
  for (let index = 1; index <= 25; index++) await addPost({ site }, member, { id: `${mark}-${index}`, title: `${mark} ${index}` });
  await signInAs(member);
  await page.clock.install();
  await page.goto(`/?q=${mark}`);
  await waitForHydration(page);
  await page.clock.pauseAt(Date.now() + 10_000);
  const titles = page.getByRole("heading", { level: 3, name: mark });
  const more = page.getByRole("link", { name: "Load More Posts" });
  const skeletons = page.locator("div[aria-busy=true] > div[aria-hidden=true]");

  let release = await holdResponse(page, "**/_*.data*");
  await more.click();
  await expect(page.getByRole("main").getByText("Loading...")).toBeVisible();
  await page.clock.runFor(250);
  await expect(skeletons).toHaveCount(0);
  await page.clock.runFor(100);
  await expect(skeletons).toHaveCount(4);
  release();
  await expect(titles).toHaveCount(24);
  await expect(skeletons).toHaveCount(0);

  // After a form, the loaded pages are loaded again.
  release = await holdResponse(page, "**/_*&part*");
  const again = page.waitForRequest(/&part/);
  await page.locator("summary[aria-label=Theme]").first().click();
  await page.getByRole("button", { name: "Dark" }).click();
  await again;
  await page.clock.runFor(1000);
  await expect(skeletons).toHaveCount(0);
  await expect(more).toBeVisible();
  release();

  release = await holdResponse(page, "**/_*.data*");
  await page.getByRole("link", { name: "Trending" }).click();
  await page.clock.runFor(350);
  await expect(skeletons).toHaveCount(8);
  await page.clock.resume();
  await expectAccessible(page);
  release();
  await expect(titles).toHaveCount(12);
  await expect(skeletons).toHaveCount(0);
});

test.describe("in another time zone", () => {
  test.use({ timezoneId: "Pacific/Auckland" });

  test(
    "home greets by the reader's clock, caches their figures for two minutes, and Load More Posts loads the next twelve",
    inBrowserOnly,
    async ({ page, site, newMember, signInAs }) => {
      const member = await newMember("Hine Home");
      const mark = `h${Math.random().toString(36).slice(2, 8)}`;
      for (let index = 1; index <= 25; index++) await addPost({ site }, member, { id: `${mark}-${index}`, title: `${mark} ${index}` });
      await signInAs(member);
      const evening = Date.UTC(2026, 5, 1, 8);
      await page.clock.setFixedTime(evening);
      let requests = 0;
      page.on("request", (request) => request.url().endsWith("/home/figures") && requests++);
      await page.goto(`/?q=${mark}`);
      await waitForHydration(page);
      await expect(page.getByText("Good evening")).toBeVisible();

      const titles = page.getByRole("heading", { level: 3, name: mark });
      await expect(titles).toHaveCount(12);
      await page.getByRole("link", { name: "Load More Posts" }).click();
      await expect(titles).toHaveCount(24);
      await page.getByRole("link", { name: "Load More Posts" }).click();
      await expect(titles).toHaveCount(25);
      await expect(page.getByRole("link", { name: "Load More Posts" })).toHaveCount(0);

      const posts = page.locator("dl div", { hasText: "Your Stories" }).locator("dd");
      await expect(posts).toHaveText("25");
      await addPost({ site }, member, { id: `${mark}-26` });
      expect(requests).toBe(0);
      await page.clock.setFixedTime(evening + 119_999);
      await page.getByRole("link", { name: "Trending" }).click();
      await expect(page).toHaveURL(/tab=trending/);
      await expect(posts).toHaveText("25");
      expect(requests).toBe(0);
      await page.clock.setFixedTime(evening + 12 * 60 * 60 * 1000);
      await page.getByRole("link", { name: "All Stories", exact: true }).first().click();
      await expect(posts).toHaveText("26");
      await expect(page.getByText("Good morning")).toBeVisible();
      expect(requests).toBe(1);
      await signInAs(await newMember("Nia Next"));
      await page.getByRole("link", { name: "Trending" }).click();
      await expect(page.getByRole("heading", { name: "Welcome back, Nia Next" })).toBeVisible();
      await expect(posts).toHaveText("0");
      expect(requests).toBe(2);
    },
  );
});
