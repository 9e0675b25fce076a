import { type RunningServer, startServer } from "../support/process.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { expectToast } from "./support/toasts.ts";

let server: RunningServer;
test.beforeEach(async () => {
  server = await startServer();
});
// Close the page first: its requests would fail without the server.
test.afterEach(async ({ page }) => {
  await page.close();
  await server.close();
});

test(
  "an operator opens the setup link, names the site, tests an email, and becomes administrator",
  inBrowserOnly,
  async ({ page, problems }) => {
    problems.allow(/status of 4\d\d/);
    const link = /http:\S+\/setup\?token=\S+/.exec(server.output())?.[0] ?? "";
    await page.goto(link);
    await waitForHydration(page);
    await expectAccessible(page);
    await page.getByLabel("Full Name").fill("Ana Pereira");
    await page.getByLabel("Email", { exact: true }).fill("ana@example.com");
    await page.getByLabel("Password", { exact: true }).fill("a lamp on the Hill 9");
    await page.getByLabel("Site name").fill("Night Bus");
    await page.getByLabel("Introduction").fill("{name} is for what happens after midnight.");
    await page.getByRole("button", { name: "Send Test Email" }).click();
    await expect(page.getByText("Saved as a file under mail/ in the data folder.")).toBeVisible();
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("a lamp on the Hill 9");
    await page.setViewportSize({ width: 375, height: 812 });
    await expectAccessible(page);
    await page.getByLabel("Site name").press("Enter");
    await expectToast(page, "Your site is ready. You can change all of this in Settings.");
    await expect(page).toHaveURL(/\/admin$/);
    await page.context().clearCookies();
    await page.goto(`${server.url}/`);
    await expect(page.getByText("Night Bus is for what happens after midnight.")).toBeVisible();
    expect((await page.goto(link))?.status()).toBe(404);
  },
);
