import { createPost } from "#domain/posts/posts.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { signIn } from "../members.ts";
import { picture } from "../pictures.ts";
import { expect, expectAccessible, hydrated, test } from "./fixtures.ts";
import { uniqueTitle } from "./story-form.ts";

async function published(site: Site, author: Member): Promise<string> {
  const title = uniqueTitle("Read Me");
  const slug = title.toLowerCase().replaceAll(" ", "-");
  const content = "A paragraph that goes on for a while.\n\n".repeat(80);
  return createPost(site, author, { title, slug, content, status: "active" }, await picture("cover.jpg", 300, 200));
}

test("a like is shown at once, counted once, and taken back", async ({ page, site, newMember, signInAs, openBrowser }) => {
  const id = await published(site, await newMember("Ada Author"));
  await signInAs(await newMember("Liam Liker"));
  await page.goto(`/post/${id}`);
  await hydrated(page);
  const like = page.getByRole("button", { name: /^\d+ Likes?$/ }).first();
  await expect(like).toHaveAccessibleName("0 Likes");
  await like.click();
  await expect(page.getByText("Post liked!")).toBeVisible();
  await expect(like).toHaveAccessibleName("1 Like");
  await expect(like).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page);
  const visitor = await openBrowser();
  await visitor.goto(`/post/${id}`);
  await expect(visitor.getByRole("button", { name: "1 Like" }).first()).toBeVisible();
  await like.click();
  await expect(page.getByText("Like removed")).toBeVisible();
  await expect(like).toHaveAccessibleName("0 Likes");
});

test("a bookmark in the bar and one below the title are the same", async ({ page, site, newMember, signInAs }) => {
  const id = await published(site, await newMember("Bea Author"));
  await signInAs(await newMember("Bo Keeper"));
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Bookmark", exact: true }).first().click();
  await expect(page.getByText("Added to bookmarks")).toBeVisible();
  await expect(page.getByRole("button", { name: "Bookmarked" }).first()).toBeVisible();
  await page.getByRole("button", { name: "Remove bookmark" }).click();
  await expect(page.getByText("Removed from bookmarks")).toBeVisible();
});

test("a visitor who likes is asked to log in, with JavaScript and without", async ({ page, site, newMember, browser, problems }) => {
  problems.allow(/status of 401/);
  const id = await published(site, await newMember("Cy Author"));
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "0 Likes" }).first().click();
  await expect(page.getByText("Please login to like posts")).toBeVisible();
  await expect(page.getByRole("button", { name: "0 Likes" }).first()).toHaveAttribute("aria-pressed", "false");
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(`/post/${id}`);
  await plain.getByRole("button", { name: "Bookmark", exact: true }).first().click();
  await expect(plain).toHaveURL(new RegExp(`/post/${id}$`));
  expect(await plain.locator("body").innerText()).toContain("Please login to bookmark posts");
  await plain.context().close();
});

test("a like that can't be sent is undone and said so", async ({ page, site, newMember, signInAs, context, problems }) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED/);
  const id = await published(site, await newMember("Di Author"));
  await signInAs(await newMember("Off Line"));
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await context.setOffline(true);
  await page.getByRole("button", { name: "0 Likes" }).first().click();
  await expect(page.getByText("Failed to update like")).toBeVisible();
  await expect(page.getByRole("button", { name: "0 Likes" }).first()).toHaveAttribute("aria-pressed", "false");
});

test("the share menu copies the address and says so for two seconds", async ({ page, site, newMember, context, baseURL }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await published(site, await newMember("Ed Author"));
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Share" }).first().click();
  await expect(page.getByRole("menuitem", { name: "Twitter" })).toHaveAttribute("href", /twitter\.com\/intent\/tweet\?url=/);
  await page.getByRole("menuitem", { name: "Copy Link" }).click();
  await expect(page.getByRole("menuitem", { name: "Copied!" })).toBeVisible();
  await expect(page.getByText("Link copied to clipboard!")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/post/${id}`);
  await expect(page.getByRole("menuitem", { name: "Copy Link" })).toBeVisible();
});

test("the bar tells how far the reader is, and there is a way back up", async ({ page, site, newMember }) => {
  const id = await published(site, await newMember("Flo Author"));
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await expect(page.getByText("0% read")).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.getByText("100% read")).toBeVisible();
  await page.getByRole("button", { name: "Scroll to top" }).click();
  await expect(page.getByText("0% read")).toBeVisible();
});

test("a story that stays open for a moment is counted as seen, once", async ({ page, site, newMember }) => {
  const id = await published(site, await newMember("Gil Author"));
  const views = async () => (await site.db.selectFrom("posts").select("views").where("id", "=", id).executeTakeFirstOrThrow()).views;
  await page.goto(`/post/${id}`);
  await page.waitForResponse(`**/post/${id}/view`);
  await expect.poll(views).toBe(1);
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.waitForResponse(`**/post/${id}/view`);
  expect(await views()).toBe(1);
});

test("the author deletes a story after being asked, and is told so at home", async ({ page, site, newMember, signInAs }) => {
  const author = await newMember("Hal Author");
  const id = await published(site, author);
  await signInAs(author);
  await page.goto(`/post/${id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog.getByText("Are you sure you want to delete this post? This action cannot be undone.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Post deleted successfully")).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await page.goto(`/post/${id}`);
  await expect(page).toHaveURL(/\/$/);
});

test("without JavaScript the question has a page of its own; others see no Delete", async ({ browser, site, newMember, page }) => {
  const author = await newMember("Ivy Author");
  const id = await published(site, author);
  await page.goto(`/post/${id}`);
  await expect(page.getByRole("button", { name: "Share" }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const { cookie } = await signIn({ site }, author);
  const [name = "", value = ""] = cookie.split("=", 2);
  await context.addCookies([{ name, value, url: page.url() }]);
  const plain = await context.newPage();
  await plain.goto(`/post/${id}`);
  await plain.getByRole("button", { name: "Delete" }).click();
  await expect(plain.getByRole("heading", { name: "Delete this post?" })).toBeVisible();
  await plain.getByRole("button", { name: "Delete" }).click();
  await expect(plain).toHaveURL(/\/$/);
  expect(await plain.locator("body").innerText()).toContain("Post deleted successfully");
  await context.close();
});
