import type { Page } from "@playwright/test";
import { setFollow } from "#domain/follows/follows.server.ts";
import { markRead } from "#domain/notification-channels/marking.server.ts";
import { readNotificationSettings } from "#domain/notifications/preferences.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { publishPost } from "./support/publish-post.ts";
import { expectToast } from "./support/toasts.ts";

function bell(page: Page) {
  return page
    .getByRole("banner")
    .getByRole("link", { name: /^Notifications/ })
    .filter({ visible: true });
}

test("the bell counts live, bundles likes, and marks as read in all tabs", async ({ page, context, site, newMember, signInAs }) => {
  const author = await newMember("Nora Notified");
  const id = await publishPost(site, author);
  const [ana, ben, caro] = await Promise.all(["Ana Applauds", "Ben Applauds", "Caro Applauds"].map((name) => newMember(name)));
  await signInAs(author);
  await page.goto("/");
  const second = await context.newPage();
  await second.goto("/notifications");
  for (const tab of [page, second]) await waitForHydration(tab);
  await expect(second.getByText("No notifications yet")).toBeVisible();
  await expectAccessible(second);

  for (const reader of [ana, ben, caro]) if (reader) await setLike(site, reader, id, true);
  if (ana) await setFollow(site, ana, { userId: author.id, following: true });
  for (const tab of [page, second]) await expect(bell(tab)).toHaveAccessibleName("Notifications 2 unread");

  await bell(page).click();
  for (const tab of [page, second]) {
    const items = tab.getByRole("list", { name: "Notifications" }).getByRole("listitem");
    await expect(items).toHaveText([/Ana Applauds started following you/, /(Ana|Ben|Caro) Applauds and 2 others liked/]);
  }
  await expectAccessible(page);
  await page.getByRole("listitem").filter({ hasText: "started following" }).getByRole("button", { name: "Mark as read" }).click();
  for (const tab of [page, second]) await expect(bell(tab)).toHaveAccessibleName("Notifications 1 unread");
  await second.getByRole("link", { name: /2 others liked/ }).click();
  await expect(second).toHaveURL(new RegExp(`/post/${id}$`));
  for (const tab of [page, second]) await expect(bell(tab)).toHaveAccessibleName("Notifications");

  if (ben) await setLike(site, ben, id, false);
  if (ben) await setLike(site, ben, id, true);
  await expect(bell(page)).toHaveAccessibleName("Notifications 1 unread");
  await expect(page.getByRole("link", { name: /^Ben Applauds liked/ })).toBeVisible();
  await page.getByRole("button", { name: "Mark all as read" }).click();
  for (const tab of [page, second]) await expect(bell(tab)).toHaveAccessibleName("Notifications");
  await page.getByRole("link", { name: "Unread", exact: true }).click();
  await expect(page.getByText("You’re all caught up")).toBeVisible();
});

test(
  "a followed author's story is counted, shown as a toast, and read in another tab",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs, problems }) => {
    const [reader, writer] = [await newMember("Rena Reads"), await newMember("Wim Writes")];
    await setFollow(site, reader, { userId: writer.id, following: true });
    await signInAs(reader);
    const socket = page.waitForEvent("websocket");
    await page.goto("/");
    await (await socket).waitForEvent("framereceived", ({ payload }) => String(payload).includes('"posts"'));
    await expect(bell(page)).toHaveAccessibleName("Notifications");
    problems.allow(/status of 503/);
    await page.route("**/following/ids", (route) => route.fulfill({ status: 503 }), { times: 1 });
    const refused = page.waitForResponse("**/following/ids", { timeout: 0 });
    await publishPost(site, await newMember("Uta Unfollowed"));
    await refused;
    const id = await publishPost(site, writer);
    await expect(page.getByText("New story from Wim Writes")).toBeVisible();
    await expect(bell(page)).toHaveAccessibleName("Notifications 1 unread");
    await page.reload();
    await waitForHydration(page);
    await expect(bell(page)).toHaveAccessibleName("Notifications 1 unread");
    await markRead(site, reader, [`story:${id}`]);
    await expect(bell(page)).toHaveAccessibleName("Notifications");
  },
);

test("notification channels are chosen by kind", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  await signInAs(await newMember("Cleo Chooses"));
  await page.goto("/account");
  await page.getByRole("link", { name: "Choose notifications" }).click();
  await waitForHydration(page);
  await page.getByLabel("Likes by email").selectOption("daily");
  await page.getByLabel("Bookmarks on the site").uncheck();
  await page.getByLabel("Keep quiet hours").check();
  await page.getByLabel("From").fill("21:30");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your notification settings have been saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Likes by email")).toHaveValue("daily");
  await expect(page.getByLabel("Bookmarks on the site")).not.toBeChecked();
  await expect(page.getByLabel("From")).toHaveValue("21:30");
});

test(
  "a page rendered before a like and received after it keeps the newer count",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs }) => {
    const [author, reader] = [await newMember("Lena Late"), await newMember("Rolf Reads")];
    const id = await publishPost(site, author);
    await signInAs(author);
    await page.goto("/");
    await waitForHydration(page);
    await expect(bell(page)).toHaveAccessibleName("Notifications");
    const answered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route(/\/all-posts\.data/, async (route) => {
      const response = await route.fetch();
      answered.resolve();
      await released.promise;
      await route.fulfill({ response });
    });
    await page.getByRole("banner").getByRole("link", { name: "All Posts" }).filter({ visible: true }).click();
    await answered.promise;
    await setLike(site, reader, id, true);
    await expect(bell(page)).toHaveAccessibleName("Notifications 1 unread");
    released.resolve();
    await expect(page).toHaveURL(/\/all-posts$/);
    await expect(bell(page)).toHaveAccessibleName("Notifications 1 unread");
  },
);

test("the device's time zone is offered by its current name", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const asha = await newMember("Asha Rao");
  await signInAs(asha);
  // As in Firefox. Chromium says Asia/Calcutta.
  await page.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      return { ...resolvedOptions.call(this), timeZone: "Asia/Kolkata" };
    };
  });
  await page.goto("/notifications/settings");
  await expect(page.getByRole("combobox", { name: "Time zone" })).toHaveValue("Asia/Kolkata");
  await page.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Your notification settings have been saved.");
  expect((await readNotificationSettings(site, asha)).timeZone).toBe("Asia/Kolkata");
});
