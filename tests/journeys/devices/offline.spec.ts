import type { BrowserContext, Page } from "@playwright/test";
import { accountTexts } from "#domain/accounts/account.ts";
import { storeFeaturedPicture } from "#domain/files/post-files.server.ts";
import { picture } from "../../support/pictures.ts";
import { addPost } from "../../support/posts.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "../support/fixtures.ts";

test.use({ serviceWorkers: "allow" });

test.beforeEach(({ problems }) => problems.allowLostConnection());

/** Unique in this run. */
const freshId = (name: string) => `${name}-${Math.random().toString(36).slice(2, 8)}`;

test(
  "read stories are available offline until the member signs out",
  inBrowserOnly,
  async ({ page, context, site, newMember, signInAs }) => {
    const writer = await newMember("Salt Writer");
    const [salt, tide, unread] = ["salt", "tide", "unread"].map(freshId) as [string, string, string];
    await addPost({ site }, writer, { id: salt, title: "Salt & <Smoke>", content: "<p>A pinch of it.</p>" });
    await addPost({ site }, writer, { id: tide, title: "Tide" });
    await addPost({ site }, writer, { id: unread, title: "Unread" });
    await signInAs(await newMember("Train Reader"));
    await page.goto("/");
    await waitForWorker(page);
    await page.goto(`/post/${salt}`);
    await expect.poll(() => storedPosts(page)).toEqual([`/offline/${salt}`]);
    await page.goto(`/post/${tide}`);
    await expect.poll(() => storedPosts(page)).toEqual([`/offline/${salt}`, `/offline/${tide}`]);
    expect(await allCachedText(page)).not.toContain("Train Reader");

    await context.setOffline(true);
    await page.goto("/all-posts");
    await expect(page.getByRole("heading", { name: "You’re offline" })).toBeVisible();
    await expect(page.locator("li a")).toHaveText(["Tide", "Salt & <Smoke>"]);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Salt & <Smoke>" }).click();
    await expect(page.getByRole("heading", { name: "Salt & <Smoke>" })).toBeVisible();
    await expect(page.getByText("A pinch of it.")).toBeVisible();
    await expectAccessible(page);
    await page.goto(`/post/${unread}`);
    await expect(page.getByRole("heading", { name: "You’re offline" })).toBeVisible();

    await context.setOffline(false);
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { name: "Unread", level: 1 })).toBeVisible();
    await waitForHydration(page);
    await signOut(page);
    await expect.poll(() => storedPosts(page)).toEqual([]);
    await expectNothingOffline(page, context);
  },
);

test(
  "a session that ends elsewhere removes read stories from the device",
  inBrowserOnly,
  async ({ page, context, site, newMember, signInAs }) => {
    const far = freshId("far");
    await addPost({ site }, await newMember("Far Writer"), { id: far, title: "Far" });
    const reader = await newMember("Far Reader");
    await signInAs(reader);
    await page.goto("/");
    await waitForWorker(page);
    await page.goto(`/post/${far}`);
    await expect.poll(() => storedPosts(page)).toEqual([`/offline/${far}`]);
    await site.db.deleteFrom("sessions").where("userId", "=", reader.id).execute();
    await page.goto("/help");
    await expect.poll(() => storedPosts(page)).toEqual([]);
    await expectNothingOffline(page, context);
  },
);

test(
  "read stories stay when a member opens a private picture, and mistypes the password to delete the account",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs, problems }) => {
    // The browser's own page around the picture breaks the picture's policy.
    problems.allow(/status of 422|\/files\//);
    const stay = freshId("stay");
    await addPost({ site }, await newMember("Stay Writer"), { id: stay, title: "Stay" });
    const reader = await newMember("Stay Reader");
    await signInAs(reader);
    await page.goto("/");
    await waitForWorker(page);
    await page.goto(`/post/${stay}`);
    await expect.poll(() => storedPosts(page)).toEqual([`/offline/${stay}`]);
    const unpublished = await storeFeaturedPicture(site, reader, await picture());
    expect((await page.goto(`/files/${unpublished.id}`))?.headers()["cache-control"]).toBe("private, no-cache");
    await page.goto("/account/delete");
    await waitForHydration(page);
    await page.getByLabel("Your password").fill("not my password");
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expect(page.getByText(accountTexts.passwordWrong)).toBeVisible();
    expect(await storedPosts(page)).toEqual([`/offline/${stay}`]);
  },
);

test("an unpublished story is removed from a device that requests it again", inBrowserOnly, async ({ page, site, newMember }) => {
  const short = freshId("short");
  await addPost({ site }, await newMember("Short Writer"), { id: short, title: "Short" });
  await page.goto("/");
  await waitForWorker(page);
  await page.goto(`/post/${short}`);
  await expect.poll(() => storedPosts(page)).toEqual([`/offline/${short}`]);
  await site.db.updateTable("posts").set({ status: "inactive" }).where("id", "=", short).execute();
  await page.goto(`/post/${short}`);
  await expect.poll(() => storedPosts(page)).toEqual([]);
});

/** Waits until the worker controls the page, which it does for existing pages too. */
async function waitForWorker(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
}

function storedPosts(page: Page): Promise<string[]> {
  return page.evaluate(async () => (await (await caches.open("kept-stories")).keys()).map(({ url }) => new URL(url).pathname));
}

function allCachedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    let all = "";
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) all += request.url + (await (await cache.match(request))?.text());
    }
    return all;
  });
}

async function expectNothingOffline(page: Page, context: BrowserContext): Promise<void> {
  await context.setOffline(true);
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: "You’re offline" })).toBeVisible();
  await expect(page.getByRole("listitem")).toHaveCount(0);
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Logout" }).first().click();
  await expect(page.getByRole("button", { name: "Logout" })).toBeHidden();
}
