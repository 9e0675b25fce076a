import type { Page } from "@playwright/test";
import { deletePost } from "#domain/posts/posts.server.ts";
import { expect, expectAccessible, expectText, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { publishPost } from "./support/publish-post.ts";
import { expectToast } from "./support/toasts.ts";

test("a like appears at once, counts once, and can be removed", async ({ page, site, newMember, signInAs, openBrowser }) => {
  const id = await publishPost(site, await newMember("Ada Author"));
  await signInAs(await newMember("Liam Liker"));
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  const like = page.getByRole("button", { name: /^\d+ Likes?$/ }).first();
  await expect(like).toHaveAccessibleName("0 Likes");
  await like.click();
  await expectToast(page, "Post liked!");
  await expect(like).toHaveAccessibleName("1 Like");
  await expect(like).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page);
  const visitor = await openBrowser();
  await visitor.goto(`/post/${id}`);
  await expect(visitor.getByRole("button", { name: "1 Like" }).first()).toBeVisible();
  await like.click();
  await expectToast(page, "Like removed");
  await expect(like).toHaveAccessibleName("0 Likes");
});

test("the bookmark buttons in the bar and below the title agree", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const id = await publishPost(site, await newMember("Bea Author"));
  await signInAs(await newMember("Bo Keeper"));
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  await page.getByRole("button", { name: "Bookmark", exact: true }).first().click();
  await expectToast(page, "Added to bookmarks");
  await expect(page.getByRole("button", { name: "Bookmarked" }).first()).toBeVisible();
  await page.getByRole("button", { name: "Remove bookmark" }).click();
  await expectToast(page, "Removed from bookmarks");
});

test(
  "a like shows in all of the reader's tabs and to others, and a double click likes once",
  inBrowserOnly,
  async ({ page, site, context, newMember, signInAs, openBrowser }) => {
    const id = await publishPost(site, await newMember("Uma Author"));
    await signInAs(await newMember("Tia Twotabs"));
    const second = await context.newPage();
    const other = await openBrowser();
    for (const tab of [page, second, other]) {
      await tab.goto(`/post/${id}`);
      await waitForHydration(tab);
    }
    await page.getByRole("button", { name: "0 Likes" }).first().dblclick();
    for (const tab of [page, second]) {
      const like = tab.getByRole("button", { name: "1 Like" }).first();
      await expect(like).toHaveAttribute("aria-pressed", "true");
    }
    await expect(other.getByRole("button", { name: "1 Like" }).first()).toHaveAttribute("aria-pressed", "false");
    await second.getByRole("button", { name: "Bookmark", exact: true }).first().click();
    await expect(page.getByRole("button", { name: "Remove bookmark" })).toBeVisible();
  },
);

test("after quick presses the last one wins, on the screen and on the server", async ({ page, site, newMember, signInAs }) => {
  const id = await publishPost(site, await newMember("Val Author"));
  await signInAs(await newMember("Quinn Quick"));
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  const like = page.getByRole("button", { name: /^\d+ Likes?$/ }).first();
  await like.focus();
  for (let press = 0; press < 5; press++) await page.keyboard.press("Enter");
  await expect(like).toHaveAccessibleName("1 Like");
  const likes = async () => (await site.db.selectFrom("likes").select("userId").where("postId", "=", id).execute()).length;
  await expect.poll(likes).toBe(1);
  await expect(like).toHaveAccessibleName("1 Like");
  await expect(like).toHaveAttribute("aria-pressed", "true");
});

test(
  "a like of a story deleted meanwhile is undone with a message, and the text stays",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs, problems }) => {
    problems.allow(/status of 404/);
    const author = await newMember("Wes Author");
    const id = await publishPost(site, author);
    await signInAs(await newMember("Lena Late"));
    // With a live connection the page would leave the deleted story by itself, perhaps before the press.
    await page.routeWebSocket(/\/live$/, (socket) => socket.close());
    await page.goto(`/post/${id}`);
    await waitForHydration(page);
    await deletePost(site, author, id);
    await page.getByRole("button", { name: "0 Likes" }).first().click();
    await expectToast(page, "Failed to update like");
    await expect(page.getByRole("button", { name: "0 Likes" }).first()).toHaveAttribute("aria-pressed", "false");
    await expect(page.getByText("A paragraph that goes on").first()).toBeVisible();
  },
);

test(
  "a visitor is asked to log in on like or bookmark, with and without JavaScript",
  inBrowserOnly,
  async ({ page, site, newMember, browser, problems }) => {
    problems.allow(/status of 401/);
    const id = await publishPost(site, await newMember("Cy Author"));
    await page.goto(`/post/${id}`);
    await waitForHydration(page);
    await expectReverted(page, "0 Likes", "Please login to like posts");
    await expectReverted(page, "Bookmark", "Please login to bookmark posts");
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await plain.goto(`/post/${id}`);
    await plain.getByRole("button", { name: "Bookmark", exact: true }).first().click();
    await expect(plain).toHaveURL(new RegExp(`/post/${id}$`));
    await expectText(plain, "Please login to bookmark posts");
    await plain.context().close();
  },
);

test(
  "a like or bookmark that can't be sent is undone with a message",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs, context, problems }) => {
    problems.allowLostConnection();
    const id = await publishPost(site, await newMember("Di Author"));
    await signInAs(await newMember("Off Line"));
    await page.goto(`/post/${id}`);
    await waitForHydration(page);
    await context.setOffline(true);
    await expectReverted(page, "0 Likes", "Failed to update like");
    await expectReverted(page, "Bookmark", "Failed to update bookmark");
  },
);

/** The pressed button reverts, and a message gives the reason. */
async function expectReverted(page: Page, name: string, why: string): Promise<void> {
  const button = page.getByRole("button", { name, exact: true }).first();
  await button.click();
  await expectToast(page, why);
  await expect(button).toHaveAttribute("aria-pressed", "false");
}
