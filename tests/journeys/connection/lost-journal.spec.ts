import type { Page } from "@playwright/test";
import { expect, inBrowserOnly, test, waitForHydration } from "../support/fixtures.ts";
import { waitForEditor } from "../support/post-form.ts";

/** The texts in this browser's journal. */
const journal = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    // Opening a database that isn't there would create it.
    if (!(await indexedDB.databases()).some(({ name }) => name === "inkstead")) return [];
    return new Promise<string[]>((resolve, reject) => {
      const request = indexedDB.open("inkstead");
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const all = request.result.transaction("drafts").objectStore("drafts").getAll();
        all.onsuccess = () => {
          resolve(all.result.map(({ draft }: { draft: { content: string } }) => draft.content));
          request.result.close();
        };
      };
    });
  });

test("the journal is opened again after the browser has closed it", inBrowserOnly, async ({ page, newMember, signInAs, problems }) => {
  problems.allowLostConnection();
  await signInAs(await newMember("Clara Cleared"));
  await page.goto("/add-post?new");
  await waitForHydration(page);
  await waitForEditor(page);
  await page.route("**/drafts/save", (route) => route.abort());
  await page.getByLabel("Content").fill("Before.");
  await expect.poll(() => journal(page)).toEqual(["Before."]);
  const browser = await page.context().newCDPSession(page);
  await browser.send("Storage.clearDataForOrigin", { origin: new URL(page.url()).origin, storageTypes: "indexeddb" });
  await page.getByLabel("Content").fill("Before, and after.");
  await expect.poll(() => journal(page)).toEqual(["Before, and after."]);
  await expect(page.getByText("Your text is saved in this browser.")).toBeVisible();
});
