import { storePostPicture } from "#domain/files/post-files.server.ts";
import { signIn } from "../support/members.ts";
import { animatedImage } from "../support/pictures.ts";
import { addPost } from "../support/posts.ts";
import {
  expect,
  expectAccessible,
  expectText,
  holdResponse,
  inBrowserOnly,
  test,
  uniqueEmail,
  waitForHydration,
} from "./support/fixtures.ts";
import { publishPost } from "./support/publish-post.ts";
import { expectToast } from "./support/toasts.ts";

test(
  "missing pictures show a placeholder as cover, initials as avatar, and nothing in the text",
  inBrowserOnly,
  async ({ page, site, newMember, problems }) => {
    problems.allow(/status of 404/);
    problems.allowLostConnection();
    const author = await newMember("Xia Author");
    const id = await publishPost(site, author, "![a map](/files/gone)\n\nHello.");
    const { featuredImage } = await site.db.selectFrom("posts").select("featuredImage").where("id", "=", id).executeTakeFirstOrThrow();
    await site.db.updateTable("profiles").set({ profileImage: featuredImage }).where("userId", "=", author.id).execute();
    const byline = page.locator("article").getByRole("link", { name: "Xia Author" });
    await page.goto(`/post/${id}`);
    await expect(byline.locator("img")).toBeVisible();
    await page.route("**/files/**", (route) => route.abort());
    await page.reload();
    await expect(byline).toHaveText("XAXia Author");
    await expect(byline.locator("img")).toHaveCount(0);
    await expect(page.locator("article").first().getByText("No featured image")).toBeVisible();
    await expect(page.locator(".prose-ink img")).toBeHidden();
  },
);

test(
  "an animated picture can be paused and played, and is paused with reduced motion",
  inBrowserOnly,
  async ({ page, site, newMember }) => {
    const author = await newMember("Uma Author");
    const { url: address } = await storePostPicture(site, author, await animatedImage(3, 300, 200));
    const id = await publishPost(site, author, `![a lantern](${address})\n\nHello.`);
    const shown = page.getByRole("img", { name: "a lantern" });
    await page.goto(`/post/${id}`);
    await expect(shown).toHaveAttribute("src", `${address}/1200.webp`);
    await page.getByRole("button", { name: "Play animation" }).click();
    await expect(shown).toHaveAttribute("src", address);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.reload();
    await page.getByRole("button", { name: "Pause animation" }).click();
    await expect(shown).toHaveAttribute("src", `${address}/1200.webp`);
    await expectAccessible(page);
  },
);

test("a slow story shows Loading article...", inBrowserOnly, async ({ page, site, newMember }) => {
  const author = await newMember("Yve Author");
  const id = await publishPost(site, author);
  await page.goto(`/profile/${author.id}`);
  await waitForHydration(page);
  const answer = await holdResponse(page, `**/post/${id}.data**`);
  await page.locator(`a[href="/post/${id}"]:visible`).last().click();
  await expect(page.getByText("Loading article...")).toBeVisible();
  answer();
  await expect(page.getByText("0% read")).toBeVisible();
  await expect(page.getByText("Loading article...")).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const)
  test(`the reading page is accessible, ${colorScheme}`, inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
    await page.emulateMedia({ colorScheme });
    const id = await publishPost(site, await newMember("Zoe Author"));
    await signInAs(await newMember("Axel Axe"));
    await page.goto(`/post/${id}`);
    await waitForHydration(page);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Share" }).first().click();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Report" }).click();
    await expect(page.getByRole("dialog", { name: "Report this story" })).toBeVisible();
    await expectAccessible(page);
  });

test(
  "a report is sent from the dialog, which keeps the text while offline and when it is closed",
  inBrowserOnly,
  async ({ page, site, context, newMember, signInAs, problems }) => {
    problems.allowLostConnection();
    const id = await publishPost(site, await newMember("Ray Author"));
    await signInAs(await newMember("Rita Reports"));
    await page.goto(`/post/${id}`);
    await waitForHydration(page);
    await page.getByRole("link", { name: "Report" }).click();
    const dialog = page.getByRole("dialog", { name: "Report this story" });
    await dialog.getByRole("radio", { name: "Something else" }).check();
    await dialog.getByLabel("Note").fill("It is upside down.");
    await page.mouse.click(5, 5);
    await expect(dialog).toHaveCount(0);
    await page.getByRole("link", { name: "Report" }).click();
    await expect(dialog.getByLabel("Note")).toHaveValue("It is upside down.");
    await expect(dialog.getByRole("radio", { name: "Something else" })).toBeChecked();
    await context.setOffline(true);
    await dialog.getByRole("button", { name: "Send report" }).click();
    await expect(dialog.getByText("Failed to send report")).toBeVisible();
    await expect(dialog.getByLabel("Note")).toHaveValue("It is upside down.");
    await context.setOffline(false);
    await dialog.getByRole("button", { name: "Send report" }).click();
    await expectToast(page, "Thank you. We’ll review it.");
    await expect(dialog).toHaveCount(0);
    const reports = await site.db.selectFrom("reports").select(["reason", "note"]).where("subjectId", "=", id).execute();
    expect(reports).toEqual([{ reason: "other", note: "It is upside down." }]);
    await page.getByRole("link", { name: "Report" }).click();
    await expect(dialog.getByLabel("Note")).toHaveValue("");
  },
);

test(
  "without JavaScript a member reads, likes, bookmarks, reports and searches",
  inBrowserOnly,
  async ({ browser, site, newMember, page }) => {
    const id = await publishPost(site, await newMember("Noa Author"));
    await page.goto("/");
    const context = await browser.newContext({ javaScriptEnabled: false });
    const { cookie } = await signIn({ site }, await newMember("Nils Noscript"));
    const [name = "", value = ""] = cookie.split("=", 2);
    await context.addCookies([{ name, value, url: page.url() }]);
    const plain = await context.newPage();
    await plain.goto(`/post/${id}`);
    await plain.getByRole("button", { name: "0 Likes" }).first().click();
    await expectText(plain, "Post liked!");
    await plain.getByRole("button", { name: "1 Like" }).first().click();
    await expectText(plain, "Like removed");
    await plain.getByRole("button", { name: "Bookmark", exact: true }).first().click();
    await expectText(plain, "Added to bookmarks");
    await expect(plain.getByRole("button", { name: "Share" })).toHaveCount(0);
    await expect(plain.getByRole("link", { name: "Share on Twitter" }).first()).toBeVisible();
    await plain.getByRole("link", { name: "Report" }).click();
    await plain.getByRole("radio", { name: "Spam or advertising" }).check();
    await plain.getByRole("button", { name: "Send report" }).click();
    await expect(plain).toHaveURL(new RegExp(`/post/${id}$`));
    await expectText(plain, "Thank you. We’ll review it.");
    await plain.getByPlaceholder("Search posts...").first().fill(id.split("-").slice(0, 4).join(" "));
    await plain.getByPlaceholder("Search posts...").first().press("Enter");
    await expect(plain).toHaveURL(/\/all-posts\?q=/);
    await expect(plain.locator(`a[href="/post/${id}"]`).first()).toBeVisible();
    await context.close();
  },
);

test(
  "the bar shows the reading progress and Back, and Scroll to top after 600 px",
  inBrowserOnly,
  async ({ page, site, newMember, baseURL }) => {
    const author = await newMember("Flo Author");
    const id = await publishPost(site, author);
    await page.goto(`/profile/${author.id}`);
    await waitForHydration(page);
    await page.locator(`a[href="/post/${id}"]:visible`).last().click();
    await expect(page.getByText("0% read")).toBeVisible();
    const up = page.getByRole("button", { name: "Scroll to top" });
    await page.evaluate(() => window.scrollTo(0, 601));
    await expect(up).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, 600));
    await expect(up).toHaveCount(0);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(page.getByText("100% read")).toBeVisible();
    await up.click();
    await expect(page.getByText("0% read")).toBeVisible();
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/profile/${author.id}$`));
    const newPage = page.context().waitForEvent("page");
    await page.evaluate((address) => window.open(address), `/post/${id}`);
    const tab = await newPage;
    await waitForHydration(tab);
    await tab.getByRole("link", { name: "Back", exact: true }).click();
    await expect(tab).toHaveURL(`${baseURL}/`);
  },
);

test("the author deletes a story after a confirmation and sees a message on the home page", async ({ page, site, newMember, signInAs }) => {
  const author = await newMember("Hal Author");
  const id = await publishPost(site, author);
  await signInAs(author);
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog.getByText("Are you sure you want to delete this post? This action cannot be undone.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expectToast(page, "Post deleted successfully");
  await expect(page).toHaveURL(/\/$/);
  await page.goto(`/post/${id}`);
  await expect(page).toHaveURL(/\/$/);
});

test(
  "without JavaScript deletion is confirmed on a page; others see no Delete",
  inBrowserOnly,
  async ({ browser, site, newMember, page }) => {
    const author = await newMember("Ivy Author");
    const id = await publishPost(site, author);
    await page.goto(`/post/${id}`);
    await expect(page.getByRole("button", { name: "Share" }).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Delete" })).toHaveCount(0);
    const context = await browser.newContext({ javaScriptEnabled: false });
    const { cookie } = await signIn({ site }, author);
    const [name = "", value = ""] = cookie.split("=", 2);
    await context.addCookies([{ name, value, url: page.url() }]);
    const plain = await context.newPage();
    await plain.goto(`/post/${id}`);
    await plain.getByRole("button", { name: "Delete" }).click();
    await expect(plain.getByRole("heading", { name: "Delete this post?" })).toBeVisible();
    await plain.getByRole("button", { name: "Delete" }).click();
    await expect(plain).toHaveURL(/\/$/);
    await expectText(plain, "Post deleted successfully");
    await context.close();
  },
);

test("marks of quotations and lists are where an Arabic line begins", inBrowserOnly, async ({ page, site, newMember }) => {
  const content = "<blockquote><p>لا شيء يضيع في البحر.</p></blockquote><ul><li>مصباح</li></ul>";
  await addPost({ site }, await newMember("نورة الحدّاد"), { id: "arabic", title: "حارس المنارة", content });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/post/arabic");
  const style = (selector: string, property: string) =>
    page.locator(`.prose-ink ${selector}`).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  expect([await style("blockquote", "border-right-width"), await style("blockquote", "border-left-width")]).toEqual(["2px", "0px"]);
  expect(Number.parseFloat(await style("ul", "padding-right"))).toBeGreaterThan(0);
});

test("a story is printed without the frame of the site", inBrowserOnly, async ({ page, site, newMember }) => {
  await addPost({ site }, await newMember("Paula Paper"), { id: "on-paper", title: "On paper" });
  await page.goto("/post/on-paper");
  await expect(page.getByRole("banner")).toBeVisible();
  await page.emulateMedia({ media: "print" });
  for (const part of [page.getByRole("banner"), page.getByRole("contentinfo"), page.locator("[data-bar]")]) await expect(part).toBeHidden();
  await expect(page.getByRole("heading", { name: "On paper" })).toBeVisible();
});

test("a name, a place and a bio of one long word fit a small phone", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const author = await newMember("W".repeat(100), { email: uniqueEmail("Wide Writer") });
  await site.db
    .updateTable("profiles")
    .set({ bio: `https://example.com/${"b".repeat(80)}`, location: "l".repeat(100) })
    .where("userId", "=", author.id)
    .execute();
  for (const [id, shown] of Object.entries({ lead: { featured: true }, compact: { featured: true }, pinned: { pinned: true } }))
    await addPost({ site }, author, { id: `wide-${id}`, title: id, ...shown });
  await page.setViewportSize({ width: 320, height: 568 });
  const expectToFit = async (address: string) => {
    await page.goto(address);
    await expect(page.getByText(author.name).filter({ visible: true }).first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBe(320);
    const widest = await page
      .getByRole("main")
      .getByText(author.name, { exact: true })
      .evaluateAll((names) => Math.max(...names.map((name) => name.getBoundingClientRect().right)));
    expect(widest, address).toBeLessThanOrEqual(320);
  };
  for (const address of ["/post/wide-lead", "/?tab=featured", "/?tab=pinned"]) await expectToFit(address);
  await signInAs(author);
  for (const address of ["/", "/profile", `/profile/${author.id}`]) await expectToFit(address);
  // Other journeys expect nothing pinned.
  await site.db.deleteFrom("posts").where("userId", "=", author.id).execute();
});
