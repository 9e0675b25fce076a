import type { Page } from "@playwright/test";
import { expect, inBrowserOnly, test } from "./support/fixtures.ts";

const paper = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = "rgb(250, 247, 240)";
const dark = "rgb(22, 19, 16)";

for (const javaScriptEnabled of [true, false])
  test(`the page is as dark as the device until somebody chooses, ${javaScriptEnabled ? "with" : "without"} JavaScript`, {
    ...inBrowserOnly,
  }, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled, colorScheme: "dark", ...(baseURL && { baseURL }) });
    const page = await context.newPage();
    await page.goto("/");
    expect(await paper(page)).toBe(dark);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(() => paper(page)).toBe(light);
    for (const [device, chosen, expected] of [
      ["light", "dark", dark],
      ["dark", "light", light],
    ] as const) {
      await context.addCookies([{ name: "inkstead_theme", value: chosen, url: baseURL ?? "" }]);
      await page.emulateMedia({ colorScheme: device });
      await page.reload();
      expect(await paper(page)).toBe(expected);
    }
    await context.close();
  });
