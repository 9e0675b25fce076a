import { expect, expectAccessible, expectText, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { expectContent, fillPost, publish, uniqueTitle } from "./support/post-form.ts";
import { confirmEmail, signUp } from "./support/screens.ts";
import { expectToast } from "./support/toasts.ts";

const content = "The **1:40** from the hospital.\n\n## What it carries\n\n- nurses\n- bakers\n\n<script>alert('x')</script>";

test("a person signs up, publishes a story with a picture, signs out, and a visitor without JavaScript reads it", async ({
  page,
  browser,
}) => {
  const title = uniqueTitle("Night Bus");
  const email = await signUp(page, "Salma Rahimi");
  await expectToast(page, "Welcome to Inkstead!");
  await confirmEmail(page, email);

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Add Post" }).click();
  await expect(page.getByRole("heading", { name: "Create Post" })).toBeVisible();
  await waitForHydration(page);
  await expect(publish(page)).toBeDisabled();
  await fillPost(page, { title, content });
  await expect(page.getByText("Image processed successfully!").first()).toBeVisible();
  await expect(page.getByText("lighthouse_optimized.jpg")).toBeVisible();
  await expectAccessible(page);
  await publish(page).click();

  await expectToast(page, "Post published successfully!");
  const slug = title.toLowerCase().replaceAll(" ", "-");
  await expect(page).toHaveURL(new RegExp(`/post/${slug}$`));
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: "What it carries" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Logout" }).first().click();
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();

  const visitor = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await visitor.goto("/?tab=latest");
  await visitor.getByRole("link", { name: title }).first().click();
  await expect(visitor.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect(visitor.getByRole("listitem").filter({ hasText: "bakers" })).toBeVisible();
  expect(await visitor.content()).not.toContain("alert('x')");
  const cover = visitor.locator("article picture img").first();
  await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
  await visitor.context().close();
});

test("a person signs up, publishes and reads without JavaScript", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const title = uniqueTitle("Plain Bus");
  const email = await signUp(page, "Plain Reader");
  await confirmEmail(page, email);
  await page.goto("/add-post");
  const slug = title.toLowerCase().replaceAll(" ", "-");
  await fillPost(page, { title, slug, content });
  await publish(page).click();
  await expect(page).toHaveURL(new RegExp(`/post/${slug}$`));
  await expectText(page, "Post published successfully!");
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Logout" }).first().click();
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
  await context.close();
});

test("a draft is shown to its author and redirects others to the home page", async ({ page, newMember, signInAs, openBrowser }) => {
  await signInAs(await newMember("Dora Draft"));
  const title = uniqueTitle("Kept Back");
  await page.goto("/add-post");
  await waitForHydration(page);
  await page.getByLabel("Draft").check();
  await fillPost(page, { title, content });
  await page.getByRole("button", { name: "Save Draft" }).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  const visitor = await openBrowser();
  await visitor.goto(new URL(page.url()).pathname);
  await expect(visitor).toHaveURL(/\/$/);
});

test("a visitor must sign in before writing", inBrowserOnly, async ({ page }) => {
  await page.goto("/add-post");
  await expect(page).toHaveURL(/\/login\?then=%2Fadd-post$/);
});

test(
  "a member who has not confirmed the address can't publish, and keeps the text",
  inBrowserOnly,
  async ({ page, newMember, signInAs, problems }) => {
    problems.allow(/status of 403/);
    await signInAs(await newMember("Una Confirmed", { isEmailConfirmed: false }));
    await page.goto("/add-post");
    await waitForHydration(page);
    await fillPost(page, { title: uniqueTitle("Too Soon"), content });
    await publish(page).click();
    await expect(page.getByText("Please confirm your email address first").first()).toBeVisible();
    await expectContent(page, content);
  },
);
