import { expect, hydrated, inBrowserOnly, test } from "./support/fixtures.ts";

test("after signing out, Back shows no page of the member", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  await signInAs(await newMember("Lou Leaver"));
  await page.goto("/");
  await hydrated(page);
  await expect(page.getByText("Lou Leaver").first()).toBeAttached();
  await page.getByRole("button", { name: "Logout" }).first().click();
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/login/);
  for (let back = 0; back < 3; back++) {
    await page.goBack();
    await expect(page.getByText("Lou Leaver")).toHaveCount(0);
  }
});
