import { expect, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { expectToast } from "./support/toasts.ts";

const words = "That was a lot at once. Please wait a moment and try again.";

test("a rate limit is shown in place and keeps the typed text", inBrowserOnly, async ({ page, problems }) => {
  problems.allow(/Failed to load resource/);
  await page.goto("/login");
  await waitForHydration(page);
  // The response of server/limits/refuse.ts; reaching the limit would take hundreds of requests.
  const refusal = { status: 429, headers: { "retry-after": "3" }, contentType: "application/json" };
  await page.route(/\.data/, (route) => route.fulfill({ ...refusal, body: JSON.stringify({ message: words, error: words }) }));
  await page.getByLabel("Email").first().fill("maren@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Harbour lights 1");
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page.getByText(words)).toBeVisible();
  await expect(page.getByLabel("Email").first()).toHaveValue("maren@example.com");

  await page.unroute(/\.data/);
  await page.goto("/subscribe");
  await waitForHydration(page);
  await page.route(/\.data/, (route) => route.fulfill({ ...refusal, body: JSON.stringify({ message: words, error: words }) }));
  const main = page.getByRole("main");
  await main.getByLabel("Email").fill("reader@example.com");
  await main.getByRole("button", { name: "Subscribe" }).click();
  await expectToast(page, words);
  await expect(main.getByLabel("Email")).toHaveValue("reader@example.com");
});
