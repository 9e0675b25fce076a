import type { Page } from "@playwright/test";
import { picture } from "../../support/pictures.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "../support/fixtures.ts";
import { expectContent, uniqueTitle } from "../support/post-form.ts";
import { onDisk } from "../support/uploads.ts";

/** Opens a page whose scripts don't arrive before the returned function is called. */
async function openWithoutScripts(page: Page, address: string): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "commit" });
  return async () => {
    resolve();
    await waitForHydration(page);
  };
}

test("what is entered for a story before the scripts arrive stays", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  await signInAs(await newMember("Early Eva"));
  const title = uniqueTitle("Early");
  const arrive = await openWithoutScripts(page, "/add-post?new");
  await page.getByLabel("Title").pressSequentially(title);
  await page.getByLabel("Draft").check();
  await page.getByLabel("Content").fill("Begun early.");
  await page.getByLabel("Featured image", { exact: true }).setInputFiles(onDisk(await picture()));
  await arrive();
  await expectContent(page, "Begun early.");
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await expect(page.getByLabel("Slug")).toHaveValue(/^early-/);
  await expect(page.getByLabel("Draft")).toBeChecked();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Save Draft" }).click();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
});

test("a message that is begun before the scripts arrive stays, and is sent once", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  const partner = await newMember("Patient Pia");
  await signInAs(await newMember("Early Emil"));
  const arrive = await openWithoutScripts(page, `/messages/${partner.id}`);
  const box = page.getByLabel("Message", { exact: true });
  await box.pressSequentially("On my w");
  await arrive();
  await expect(box).toHaveValue("On my w");
  await box.pressSequentially("ay");
  await box.press("Enter");
  await expect(page.getByText("On my way")).toHaveCount(1);
  await expect(box).toHaveValue("");
});
