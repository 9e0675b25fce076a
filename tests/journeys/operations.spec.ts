import { readFile } from "node:fs/promises";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { confirmPassword, setPassword } from "./support/staff.ts";
import { expectToast } from "./support/toasts.ts";

test("an administrator reads statistics, manages messages, and makes a backup with a restore test", async ({
  page,
  site,
  newMember,
  signInAs,
  problems,
}) => {
  test.slow();
  const [author, reader] = [await newMember("Ines Carvalho"), await newMember("Kenji Watabe")];
  const administrator = await newMember("Ruth Abernathy", { staff: "administrator" });
  await setPassword(site, administrator);
  for (const text of ["The front brake is a suggestion.", "Please respect it as such."])
    await sendMessage(site, author, { to: reader.id, text, sendId: text });
  await signInAs(administrator);

  await page.goto("/admin");
  await page.getByRole("link", { name: "View Analytics" }).click();
  await expect(page.getByRole("heading", { name: "Analytics", level: 1 })).toBeVisible();
  await waitForHydration(page);
  await page.getByRole("combobox", { name: "Range" }).selectOption("30");
  const month = page.getByRole("region", { name: "The last 30 days" });
  await expect(month).toBeVisible();
  await expectAccessible(page);
  const bars = month.getByRole("figure", { name: "Users" }).getByRole("button");
  await bars.last().focus();
  await page.keyboard.press("Home");
  await expect(bars.first()).toBeFocused();
  await expect(bars).toHaveCount(30);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  const saved = JSON.parse(await readFile(await (await download).path(), "utf8")) as Record<string, unknown>;
  expect(Object.keys(saved)).toEqual(["timeframe", "exportDate", "summary", "topPosts", "engagementMetrics", "dailyAnalytics"]);
  await expectToast(page, "Analytics data exported");

  // Offline, a reload or another page keeps what is shown.
  problems.allowLostConnection();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Refresh" }).click();
  await expectToast(page, "Failed to load analytics");
  await expect(page.getByText("Analytics refreshed")).toHaveCount(0);
  await expect(month).toBeVisible();
  await page.getByRole("link", { name: "Dashboard", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Failed to load dashboard data" })).toBeVisible();
  await expectAccessible(page);
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { name: "Dashboard", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Refresh" }).click();
  await expectToast(page, "Dashboard refreshed");

  await page.getByRole("link", { name: "Messages", exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/verify/);
  await waitForHydration(page);
  await expectAccessible(page);
  await confirmPassword(page);
  await expect(page.getByRole("heading", { name: "Messages Management" })).toBeVisible();
  await waitForHydration(page);
  await page.getByRole("button", { name: "Filters" }).click();
  const filters = page.getByRole("search", { name: "Messages" });
  await filters.getByLabel("Filter by name or user ID...").fill(author.id);
  await filters.getByRole("button", { name: "Apply" }).click();
  const row = page.getByRole("row", { name: /The front brake/ });
  await expect(row).toBeVisible();
  await waitForHydration(page);
  await expectAccessible(page);
  await row.getByRole("link", { name: "View details" }).click();
  await expect(page).toHaveURL(/\/admin\/messages\/\w+$/);
  // The address changes before the screen.
  await expect(page.getByRole("heading", { name: "Message", exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByText("The front brake is a suggestion.")).toBeVisible();
  await expectAccessible(page);
  await page.goBack();
  await row.getByRole("button", { name: "Delete message" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expectToast(page, "Message deleted");
  await expect(row).toBeHidden();

  await page.getByRole("link", { name: "Database" }).click();
  await waitForHydration(page);
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect(page.getByText(/Last restore-tested backup/)).toBeVisible({ timeout: 90_000 });
  await expectAccessible(page);
});

test(
  "an error of the site’s scripts in a browser is listed once on the Errors page, and can be dismissed",
  inBrowserOnly,
  async ({ page, newMember, signInAs, problems }) => {
    problems.allow(/a lamp fell over/);
    await signInAs(await newMember("Ruth Abernathy", { staff: "administrator" }));
    await page.route("**/assets/entry.client*.js", async (route) => {
      const response = await route.fetch();
      const failure = 'for (const late of [0, 50]) setTimeout(() => { throw new RangeError("a lamp fell over"); }, late);';
      await route.fulfill({ response, body: `${await response.text()}\n${failure}` });
    });
    const reported = page.waitForResponse((response) => response.url().endsWith("/client-errors"));
    await page.goto("/help");
    expect((await reported).status()).toBe(204);
    await page.unroute("**/assets/entry.client*.js");
    await page.goto("/admin/errors");
    await waitForHydration(page);
    const item = page.getByRole("listitem").filter({ hasText: "RangeError: a lamp fell over" });
    await expect(item).toContainText("1 time · ");
    await expect(item).toContainText("/help");
    await expectAccessible(page);
    await item.getByRole("button", { name: "Dismiss" }).click();
    await expectToast(page, "Dismissed. It comes back if it happens again.");
    await expect(item).toBeHidden();
  },
);
