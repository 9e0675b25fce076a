import { expect, expectAccessible, inBrowserOnly, test, uniqueEmail, waitForHydration } from "./support/fixtures.ts";
import { expectToast } from "./support/toasts.ts";

test("the landing page loads", inBrowserOnly, async ({ page }) => {
  const response = await page.goto("/");
  expect(response?.status()).toBe(200);
  await expect(page.getByRole("main")).toBeVisible();
  await expectAccessible(page);
});

test("the landing page works without JavaScript", inBrowserOnly, async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto("/");
  await expect(page.getByRole("main")).toContainText("Inkstead");
  await context.close();
});

test(
  "at 375 px a menu repeats the header's links and holds the search box, for a visitor and for a member",
  inBrowserOnly,
  async ({ page, newMember, signInAs }) => {
    const menu = page.getByRole("dialog", { name: "Menu" });
    const opensWith = async (links: string[]) => {
      await page.goto("/");
      await waitForHydration(page);
      await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
      await page.getByRole("button", { name: "Menu", exact: true }).press("Enter");
      await expect(menu.getByRole("button", { name: "Close menu" })).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("button", { name: "Menu", exact: true })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(menu.getByRole("navigation").getByRole("link")).toHaveText(links);
      await expect(menu.getByPlaceholder("Search posts...")).toBeVisible();
    };
    await page.setViewportSize({ width: 375, height: 812 });
    await opensWith(["Home", "Login", "Signup"]);
    await expect(menu.getByRole("button", { name: "Logout" })).toHaveCount(0);
    await signInAs(await newMember("Mo Mobile"));
    await opensWith(["Home", "All Posts", "Add Post", "Notifications", "Messages", "Profile"]);
    await expect(menu.getByRole("button", { name: "Logout" })).toBeVisible();
    await menu.getByRole("link", { name: "All Posts" }).click();
    await expect(page).toHaveURL(/\/all-posts$/);
    await expect(menu).toBeHidden();
  },
);

test(
  "Subscribe in the footer rejects an invalid address and sends a confirmation to a valid one",
  inBrowserOnly,
  async ({ page, problems }) => {
    problems.allow(/status of 4\d\d/);
    await page.goto("/?tab=latest");
    await waitForHydration(page);
    const footer = page.getByRole("contentinfo");
    const email = footer.getByRole("textbox", { name: "Email" });
    await email.fill("not an address");
    await footer.getByRole("button", { name: "Subscribe" }).click();
    await expect(footer.getByText("Please enter a valid email address")).toBeVisible();
    await expect(email).toHaveValue("not an address");
    await email.fill(uniqueEmail("Sue Subscribes"));
    await footer.getByRole("button", { name: "Subscribe" }).click();
    await expectToast(page, "Almost there! Open the link in the email we just sent you.");
    await expect(email).toHaveValue("");
    await expect(footer.getByText("Please enter a valid email address")).toHaveCount(0);
    await expect(page).toHaveURL(/\/\?tab=latest$/);
  },
);
