import { expect, expectAccessible, inBrowserOnly, test } from "./fixtures.ts";

test("the landing page answers", inBrowserOnly, async ({ page }) => {
  const answer = await page.goto("/");
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole("main")).toBeVisible();
  await expectAccessible(page);
});

test("the landing page reads without JavaScript", inBrowserOnly, async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/");
  await expect(page.getByRole("main")).toContainText("Inkstead");
  await context.close();
});
