import { setFollow } from "#domain/follows/follows.server.ts";
import { suspendMember } from "#domain/moderation/suspensions.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { updateProfile } from "#domain/profiles/profiles.server.ts";
import { setBookmark } from "#domain/reactions/reactions.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { picture } from "../support/pictures.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { uniqueTitle } from "./support/post-form.ts";
import { expectToast } from "./support/toasts.ts";

async function publishPost(site: Site, author: Member, title = uniqueTitle("Kept Story")): Promise<{ id: string; title: string }> {
  const slug = title.toLowerCase().replaceAll(" ", "-");
  const id = (await createPost(site, author, { title, slug, content: "Salt and smoke.", status: "active" }, await picture())).id;
  return { id, title };
}

test("a profile is edited with a picture, and updates another tab's header and cards", async ({
  page,
  site,
  newMember,
  signInAs,
  openBrowser,
}) => {
  const ada = await newMember("Ada Author");
  await publishPost(site, ada);
  const reader = await openBrowser(await newMember("Rea Reader"));
  await reader.goto("/");
  await expect(reader.getByRole("link", { name: "Ada Author" }).first()).toBeVisible();
  await waitForHydration(reader);
  await signInAs(ada);
  const other = await page.context().newPage();
  await other.goto("/featured-writers");
  await waitForHydration(other);

  await page.goto("/profile");
  await waitForHydration(page);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Edit Profile" }).click();
  await expect(page.getByLabel("Display Name")).toBeVisible();
  await expect(page.getByText("You have unsaved changes")).toBeHidden();
  await page.getByLabel("Display Name").fill("Ada of the Tides");
  await expect(page.getByText("You have unsaved changes")).toBeVisible();
  await page.getByRole("link", { name: "Back to profile" }).click();
  await expect(page.getByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Keep editing" }).click();
  await page.getByRole("link", { name: "Cancel" }).first().click();
  await expect(page.getByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByLabel("Display Name")).toHaveValue("Ada of the Tides");
  await page
    .getByLabel("Profile picture", { exact: true })
    .setInputFiles({ name: "me.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
  await expect(page.getByText("Please select a valid image file")).toBeVisible();
  const { name, bytes } = await picture("me.png", 500, 400);
  const file = { name, mimeType: "image/png", buffer: Buffer.from(bytes) };
  await page.getByLabel("Profile picture", { exact: true }).setInputFiles(file);
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("button", { name: "Upload photo" })).toBeFocused();
  await page.getByLabel("Profile picture", { exact: true }).setInputFiles(file);
  await expect(page.getByAltText("Your new profile")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save Changes" }).first().click();
  await expectToast(page, "Profile updated successfully!");
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByRole("heading", { name: "Ada of the Tides" })).toBeVisible();
  await page.getByRole("link", { name: "Edit Profile" }).click();
  await page.getByLabel("Location").fill("Nowhere in particular");
  await page.getByRole("link", { name: "Back to profile" }).click();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByText("Nowhere in particular")).toBeHidden();
  await expect(page.locator('main img[src*="/files/"]').first()).toBeVisible();
  await expect(other.locator('header img[src*="/files/"]').first()).toBeVisible();
  await expect(reader.getByRole("link", { name: "Ada of the Tides" }).first()).toBeVisible();
});

test("typed text survives a lost connection and an ended session", inBrowserOnly, async ({ page, site, newMember, signInAs, problems }) => {
  problems.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 401|Failed to load resource|WebSocket/);
  const ben = await newMember("Ben Writer");
  await signInAs(ben);
  await page.goto("/edit-profile");
  await waitForHydration(page);
  await page.getByLabel("Bio").fill("Nothing of this must be lost.");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save Changes" }).first().click();
  await expect(page.getByRole("alert").filter({ hasText: "the connection was lost" }).first()).toBeVisible();
  await expect(page.getByLabel("Bio")).toHaveValue("Nothing of this must be lost.");
  await page.context().setOffline(false);
  await site.db.deleteFrom("sessions").where("userId", "=", ben.id).execute();
  await page.getByRole("button", { name: "Save Changes" }).first().click();
  await expect(page.getByRole("alert").filter({ hasText: "User information not available" }).first()).toBeVisible();
  await expect(page.getByLabel("Bio")).toHaveValue("Nothing of this must be lost.");
  await signInAs(ben);
  await page.getByRole("button", { name: "Save Changes" }).first().click();
  await expectToast(page, "Profile updated successfully!");
  await expect(page.getByText("Nothing of this must be lost.")).toBeVisible();
});

test("a profile that can’t be loaded logs an error in the browser", inBrowserOnly, async ({ page, newMember, signInAs, problems }) => {
  problems.allowLostConnection();
  await signInAs(await newMember("Nora Noted"));
  await page.goto("/");
  await waitForHydration(page);
  await page.route("**/profile.data*", (route) => route.abort());
  await page.getByRole("banner").getByRole("link", { name: "Profile" }).click();
  const logged = () => page.evaluate(() => JSON.parse(localStorage.getItem("profileFailedAttempts") ?? "[]") as { id: string }[]);
  await expect.poll(async () => (await logged()).map(({ id }) => id)).toEqual(["own"]);
});

test(
  "bookmarks are searched, and removed after confirmation, with and without JavaScript",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs, browser }) => {
    const [author, reader] = [await newMember("Cy Author"), await newMember("Bo Keeper")];
    const [one, two] = [await publishPost(site, author), await publishPost(site, author, uniqueTitle("Tide Table"))];
    for (const { id } of [one, two]) await setBookmark(site, reader, id, true);
    await signInAs(reader);
    await page.goto("/profile");
    await waitForHydration(page);
    await page
      .getByRole("link", { name: /^Bookmarks/ })
      .first()
      .click();
    await expect(page.getByText("2 posts bookmarked")).toBeVisible();
    await page.getByPlaceholder("Search bookmarks...").fill("tide");
    await expect(page.getByRole("link", { name: one.title, exact: true })).toBeHidden();
    await expect(page.getByRole("link", { name: two.title, exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByPlaceholder("Search bookmarks...").fill("moth");
    await expect(page.getByText("No bookmarks found")).toBeVisible();
    await page.getByPlaceholder("Search bookmarks...").fill("");
    await page.getByRole("button", { name: `Remove Bookmark: ${two.title}` }).click();
    await expect(page.getByText("Remove this post from bookmarks?")).toBeVisible();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await expectToast(page, "Removed from bookmarks");
    await expect(page.getByText("1 post bookmarked")).toBeVisible();

    const context = await browser.newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() });
    const plain = await context.newPage();
    await plain.goto("/profile?tab=bookmarks");
    await plain.getByRole("button", { name: `Remove Bookmark: ${one.title}` }).click();
    await expect(plain.getByRole("heading", { name: "Remove this bookmark?" })).toBeVisible();
    await plain.getByRole("button", { name: "Remove" }).click();
    await expect(plain.getByRole("heading", { name: "No bookmarks yet" })).toBeVisible();
    await context.close();
  },
);

test(
  "a bookmark whose removal is refused is shown again, and each refused follow is reported",
  inBrowserOnly,
  async ({ page, problems, site, newMember, signInAs }) => {
    problems.allow(/status of 403/);
    const [admin, reader] = [await newMember("Ruth Strict", { staff: "administrator" }), await newMember("Sid Suspended")];
    const { id, title } = await publishPost(site, admin);
    await setBookmark(site, reader, id, true);
    await signInAs(reader);
    await page.goto("/profile?tab=bookmarks");
    await waitForHydration(page);
    await suspendMember(site, admin, reader.id, { days: 1, reason: "Insults" });
    await page.getByRole("button", { name: `Remove Bookmark: ${title}` }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await expectToast(page, "Failed to update bookmark");
    await expect(page.getByRole("link", { name: title, exact: true })).toBeVisible();

    await page.goto(`/profile/${admin.id}`);
    await waitForHydration(page);
    for (let press = 0; press < 2; press++) {
      await page.getByRole("button", { name: /^Follow/ }).click();
      await expectToast(page, "suspended");
    }
  },
);

test(
  "a follow in one tab shows in the other; the author's new story is announced",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs }) => {
    const [author, reader] = [await newMember("Dee Author"), await newMember("Flo Follower")];
    await signInAs(reader);
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto(`/profile/${author.id}`);
      await waitForHydration(tab);
    }
    await page.getByRole("button", { name: "Follow Dee Author" }).click();
    for (const tab of [page, other]) {
      await expect(tab.getByRole("button", { name: "Following Dee Author" })).toBeVisible();
      await expect(tab.getByText("1 follower ")).toBeVisible();
    }
    await expectAccessible(page);
    await publishPost(site, author);
    await expectToast(other, "New story from Dee Author");
    await other.getByRole("button", { name: "Following Dee Author" }).click();
    for (const tab of [page, other]) await expect(tab.getByRole("button", { name: "Follow Dee Author" })).toBeVisible();
    await setFollow(site, reader, { userId: author.id, following: true });
    await expect(page.getByRole("button", { name: "Following Dee Author" })).toBeVisible();
  },
);

test(
  "loading tabs and pictures are indicated, and initials replace a failed picture",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs, problems }) => {
    problems.allow(/Failed to load resource|ERR_FAILED/);
    const ada = await newMember("Ada Author");
    await updateProfile(
      site,
      ada,
      { userName: ada.name, bio: "", location: "", website: "", twitter: "", github: "", linkedIn: "" },
      await picture("me.png", 500, 500),
    );
    await signInAs(ada);
    let release = () => {};
    const hold = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    let waiting = hold();
    await page.route(/\/files\/.*\/\d+\.webp/, async (route) => {
      await waiting;
      await route.continue();
    });
    // The icons' drawings, including the spinner's, arrive last.
    let releaseIcons = () => {};
    const icons = new Promise<void>((resolve) => {
      releaseIcons = resolve;
    });
    await page.route(/\/assets\/icons-.*\.svg/, async (route) => {
      await icons;
      await route.continue();
    });
    await page.goto("/profile", { waitUntil: "domcontentloaded" });
    await waitForHydration(page);
    const iconsArrived = page.waitForResponse(/\/assets\/icons-.*\.svg/);
    releaseIcons();
    await (await iconsArrived).finished();
    const avatar = page.getByRole("complementary", { name: "You" });
    await expect(avatar.locator(".animate-spin")).toBeVisible();
    release();
    await expect.poll(() => avatar.locator("img").evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    await expect(avatar.locator(".animate-spin")).toHaveCount(0);

    for (const [tab, text] of [
      ["Your Posts", "Loading your posts..."],
      ["Bookmarks", "Loading your bookmarks..."],
      ["Drafts", "Loading your drafts..."],
      ["Profile", "Loading your profile..."],
    ] as const) {
      waiting = hold();
      const answers = waiting;
      await page.route("**/profile.data**", async (route) => {
        await answers;
        await route.continue();
      });
      await page
        .getByRole("navigation", { name: "Your profile" })
        .getByRole("link", { name: new RegExp(`^${tab}`) })
        .click();
      await expect(page.getByRole("status").filter({ hasText: text })).toBeVisible();
      release();
      await expect(page.getByText(text)).toHaveCount(0);
      await page.unroute("**/profile.data**");
    }

    await page.unroute(/\/files\/.*\/\d+\.webp/);
    await page.route(/\/files\/.*\/\d+\.webp/, (route) => route.abort());
    await page.goto("/profile");
    await expect(avatar.getByText("AA", { exact: true })).toBeVisible();
  },
);

test("a picture alone counts as an unsaved change; saving confirms it", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  await signInAs(await newMember("Ben Author"));
  await page.goto("/edit-profile");
  await waitForHydration(page);
  await expect(page.getByText("You have unsaved changes")).toBeHidden();
  const { name, bytes } = await picture("me.png", 500, 400);
  await page.getByLabel("Profile picture", { exact: true }).setInputFiles({ name, mimeType: "image/png", buffer: Buffer.from(bytes) });
  await expect(page.getByText("You have unsaved changes")).toBeVisible();
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("You have unsaved changes")).toBeHidden();
  await page.getByLabel("Location").fill("Stornoway");
  let release = () => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/edit-profile.data**", async (route) => {
    await hold;
    await route.continue();
  });
  await page.getByRole("button", { name: "Save Changes" }).first().click();
  await expect(page.getByRole("button", { name: "Saving..." }).first()).toBeVisible();
  release();
  await expectToast(page, "Profile updated successfully!");
});
