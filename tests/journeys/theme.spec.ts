import type { Locator, Page } from "@playwright/test";
import { addPost } from "../support/posts.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { expectToast } from "./support/toasts.ts";

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = "rgb(250, 247, 240)";
const dark = "rgb(22, 19, 16)";

for (const javaScriptEnabled of [true, false])
  test(`the page follows the device's color scheme until the reader chooses, ${javaScriptEnabled ? "with" : "without"} JavaScript`, {
    ...inBrowserOnly,
  }, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled, colorScheme: "dark", ...(baseURL && { baseURL }) });
    const page = await context.newPage();
    await page.goto("/");
    expect(await background(page)).toBe(dark);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(() => background(page)).toBe(light);
    for (const [device, chosen, expected] of [
      ["light", "dark", dark],
      ["dark", "light", light],
    ] as const) {
      await context.addCookies([{ name: "inkstead_theme", value: chosen, url: baseURL ?? "" }]);
      await page.emulateMedia({ colorScheme: device });
      await page.reload();
      expect(await background(page)).toBe(expected);
    }
    await context.close();
  });

test("a theme that can't be saved is not applied", inBrowserOnly, async ({ page, problems }) => {
  problems.allowLostConnection();
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  await waitForHydration(page);
  await page.route("**/theme.data", (route) => route.abort());
  await page.locator("summary[aria-label=Theme]").first().click();
  await page.getByRole("button", { name: "Dark" }).click();
  await expectToast(page, "The connection was lost");
  await expect.poll(() => background(page)).toBe(light);
  await page.unroute("**/theme.data");
});

test("with forced colors, on and off states still differ", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  await signInAs(await newMember("Hana Contrast", { staff: "administrator" }));
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/all-posts?filters=open");
  await waitForHydration(page);
  const screenshot = async (label: string) => (await page.getByRole("link", { name: label, exact: true }).screenshot()).toString("base64");
  const before = [await screenshot("Grid"), await screenshot("List")];
  await page.getByRole("link", { name: "List", exact: true }).click();
  await expect(page.getByRole("link", { name: "List", exact: true })).toHaveAttribute("aria-current", "true");
  await page.mouse.move(0, 0);
  const after = [await screenshot("Grid"), await screenshot("List")];
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);

  const outlined = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).outlineStyle);
  await expect.poll(() => outlined(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "All Posts" }))).toBe("solid");
  expect(await outlined(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }))).toBe("none");
  await page.goto("/");
  expect(await outlined(page.getByRole("navigation", { name: "Latest stories" }).getByRole("link", { name: "All Stories" }))).toBe("solid");

  await page.goto("/admin/settings");
  await waitForHydration(page);
  const likes = page.getByRole("switch", { name: "Likes" });
  await expect(likes).toBeChecked();
  const on = (await likes.locator("..").screenshot()).toString("base64");
  await likes.click();
  await page.mouse.move(0, 0);
  expect((await likes.locator("..").screenshot()).toString("base64")).not.toBe(on);
  expect(await likes.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe("1px");

  await page.goto("/notifications/settings");
  await waitForHydration(page);
  const followers = page.getByRole("checkbox", { name: "New followers on the site" });
  await expect(followers).toBeChecked();
  const checked = (await followers.locator("..").screenshot()).toString("base64");
  await followers.click();
  await page.mouse.move(0, 0);
  await followers.blur();
  expect((await followers.locator("..").screenshot()).toString("base64")).not.toBe(checked);
});

test("with forced colors, progress has the color of a selection", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const member = await newMember("Halle Halfway");
  await addPost({ site }, member, { id: "half-way", title: "Half way" });
  await signInAs(member);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/profile");
  const selection = await page.evaluate(() => {
    const sample = document.createElement("p");
    sample.style.backgroundColor = "Highlight";
    document.body.append(sample);
    return getComputedStyle(sample).backgroundColor;
  });
  const completion = page.getByRole("progressbar", { name: "Profile Completion" });
  const [fill, track] = await completion.evaluate((bar) => [getComputedStyle(bar).color, getComputedStyle(bar).backgroundColor]);
  expect(fill).toBe(selection);
  expect(track).not.toBe(selection);
  await page.goto("/post/half-way");
  expect(await page.locator(".reading-progress").evaluate((bar) => getComputedStyle(bar).backgroundColor)).toBe(selection);
});
