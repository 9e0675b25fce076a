import type { Page } from "@playwright/test";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { addMember, signIn } from "../support/members.ts";
import { type RunningServer, startServer } from "../support/process.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { expectContent, fillPost, publish } from "./support/post-form.ts";

const content = "Something that took an hour to write.";

let server: RunningServer;
test.beforeEach(async ({ context, problems, engine }) => {
  // Requests in progress fail when the server is killed, with various errors.
  problems.allowLostConnection();
  server = await startServer({}, engine);
  const site = await openSite(readConfig(server.environment), createLog("silent"));
  const { cookie } = await signIn({ site }, await addMember({ site }, "Cora Crash"));
  await closeSite(site);
  const [name = "", value = ""] = cookie.split("=", 2);
  await context.addCookies([{ name, value, url: server.url }]);
});
// Close the page first: its requests would fail without the server.
test.afterEach(async ({ page }, { error }) => {
  if (error) console.log(await page.locator("body").ariaSnapshot(), server.output());
  await page.close();
  await server.close();
});

test("a server killed during publishing leaves the text in the form, and publishing works after the restart", async ({ page }) => {
  await page.goto(`${server.url}/add-post`);
  await waitForHydration(page);
  await fillPost(page, { title: "In the Middle of It", content });
  await page.route("**/add-post.data", async (route) => {
    await server.kill();
    await route.continue();
  });
  await publish(page).click();
  await expect(page.getByText(/Failed to create post: the connection was lost/).first()).toBeVisible();
  await expectContent(page, content);
  await page.unroute("**/add-post.data");
  await server.start();
  await publish(page).click();
  await expect(page.getByRole("heading", { name: "In the Middle of It", level: 1 })).toBeVisible();
});

test("publishing again after a lost response leads to the saved story", async ({ page, problems }) => {
  problems.allow(/409 \(Conflict\).*\/drafts\/save/); // A save that arrives after the publication.
  await page.goto(`${server.url}/add-post`);
  await waitForHydration(page);
  await fillPost(page, { title: "Saved without Response", content });
  await page.route("**/add-post.data", async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort("connectionreset");
  });
  await publish(page).click();
  await expect(page.getByText(/Failed to create post: the connection was lost/).first()).toBeVisible();
  await page.unroute("**/add-post.data");
  await publish(page).click();
  await expect(page).toHaveURL(/\/post\/saved-without-response$/);
  await page.goto(`${server.url}/`);
  await expect(page.getByRole("link", { name: "Saved without Response" })).toHaveCount(1);
});

test("the form restores the text after server and page were killed", inBrowserOnly, async ({ page }) => {
  await page.goto(`${server.url}/add-post`);
  await waitForHydration(page);
  await page.route("**/drafts/save", () => {}); // Never answered: only the browser has the text.
  await fillPost(page, { title: "Gone and Back", content, picture: null });
  await expect.poll(() => journal(page)).toContain(content);
  await server.kill();
  await page.goto("about:blank");
  await page.unroute("**/drafts/save");
  await server.start();
  await page.goto(`${server.url}/add-post`);
  await expect(page.getByText("We restored your unfinished story.")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Gone and Back");
  await expectContent(page, content);
});

test("a story whose page was closed before the response to Publish is not unfinished", inBrowserOnly, async ({ page, problems }) => {
  problems.allow(/409 \(Conflict\).*\/drafts\/save/);
  await page.goto(`${server.url}/add-post`);
  await waitForHydration(page);
  await page.route("**/drafts/save", () => {});
  const uploaded = page.waitForResponse("**/drafts/picture");
  await fillPost(page, { title: "Closed Too Early", content });
  await (await uploaded).finished();
  const published = new Promise<void>((resolve) => {
    void page.route("**/add-post.data", async (route) => {
      await route.fetch({ maxRedirects: 0 });
      resolve();
    });
  });
  await publish(page).click();
  await published;
  expect(await journal(page)).toEqual([content]);
  await page.goto("about:blank");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto(`${server.url}/add-post`);
  await expect.poll(() => journal(page)).toEqual([]);
  await expect(page.getByLabel("Title")).toHaveValue("");
  await page.goto(`${server.url}/profile?tab=drafts`);
  await expect(page.getByText("0 saved drafts")).toBeVisible();
  await expect(page.getByRole("link", { name: "Continue" })).toHaveCount(0);
});

/** Drafts in the browser's own database. */
function journal(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // Opening it first would create an empty one.
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes("inkstead")) return [];
    const openRequest = indexedDB.open("inkstead");
    await new Promise((resolve) => openRequest.addEventListener("success", resolve));
    const request = openRequest.result.transaction("drafts").objectStore("drafts").getAll();
    await new Promise((resolve) => request.addEventListener("success", resolve));
    openRequest.result.close();
    return request.result.map(({ draft }) => draft.content);
  });
}
