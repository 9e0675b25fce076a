import { password } from "../support/people.ts";
import { addPost } from "../support/posts.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { setPassword } from "./support/staff.ts";
import { expectToast } from "./support/toasts.ts";

test("Back restores a list's items and scroll position", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const writer = await newMember("Back Writer");
  const mark = `b${Math.random().toString(36).slice(2, 8)}`;
  for (let index = 1; index <= 30; index++) await addPost({ site }, writer, { id: `${mark}-${index}`, title: `${mark} ${index}` });
  await signInAs(writer);
  for (const [list, more] of [
    [`/all-posts?q=${mark}&sort=newest`, "Load More Stories"],
    [`/?q=${mark}`, "Load More Posts"],
    ["/profile?tab=posts", "Load More Posts"],
  ] as const) {
    await page.goto(list);
    await waitForHydration(page);
    for (const last of [7, 1]) {
      await page.getByRole("link", { name: more }).click();
      await expect(page.getByRole("heading", { name: `${mark} ${last}`, exact: true })).toBeVisible();
    }
    const far = page.getByRole("heading", { name: `${mark} 4`, exact: true });
    await far.scrollIntoViewIfNeeded();
    const scrollY = await page.evaluate(() => window.scrollY);
    await far.getByRole("link").click();
    await expect(page).toHaveURL(new RegExp(`/post/${mark}-4$`));
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await expect(page.getByRole("heading", { name: `${mark} 1`, exact: true })).toBeVisible();
    await expect.poll(() => page.evaluate(() => window.scrollY), list).toBeGreaterThan(scrollY - 100);
    await expect.poll(() => page.evaluate(() => window.scrollY), list).toBeLessThan(scrollY + 100);
  }
});

test("Back after new stories leaves no gap in a list", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const writer = await newMember("Gap Writer");
  const mark = `g${Math.random().toString(36).slice(2, 8)}`;
  const add = (index: number) => addPost({ site }, writer, { id: `${mark}-${index}`, title: `${mark} ${index}` });
  for (let index = 1; index <= 15; index++) await add(index);
  await signInAs(writer);
  const shown = (index: number) => page.getByRole("heading", { name: `${mark} ${index}`, exact: true });
  const more = page.getByRole("link", { name: "Load More Posts" });
  await page.goto("/profile?tab=posts");
  await waitForHydration(page);
  await more.click();
  await shown(1).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/post/${mark}-1$`));
  await add(16);
  await page.goBack();
  await expect(shown(16)).toBeVisible();
  await more.click();
  for (let index = 1; index <= 16; index++) await expect(shown(index)).toBeVisible();
});

test(
  "signing in from a story returns to it and completes the pressed action",
  inBrowserOnly,
  async ({ page, site, newMember, problems }) => {
    problems.allow(/status of 401/);
    const reader = await newMember("Late Liker");
    await setPassword(site, reader);
    await addPost({ site }, await newMember("Liked Writer"), { id: "liked-later", title: "Liked later" });
    await page.goto("/post/liked-later");
    await waitForHydration(page);
    await page.getByRole("button", { name: /Like/ }).first().click();
    await expectToast(page, "Please login to like posts");
    await page.getByRole("banner").getByRole("link", { name: "Login" }).click();
    // The story's footer has a field with the same name.
    await expect(page.getByRole("heading", { name: "Sign In" })).toBeVisible();
    await page.getByLabel("Email").fill(reader.email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL(/\/post\/liked-later$/);
    await expectToast(page, "Post liked!");
    await expect(page.getByRole("button", { name: /1 Like/ }).first()).toHaveAttribute("aria-pressed", "true");

    await page.getByRole("button", { name: "Logout" }).first().click();
    await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
    await page.goto("/post/liked-later");
    await expect(page.getByRole("button", { name: /1 Like/ }).first()).toHaveAttribute("aria-pressed", "false");
  },
);

test("after logging out on a member’s page, Back skips it", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  await signInAs(await newMember("Trapped Reader"));
  await page.goto("/featured-writers");
  await waitForHydration(page);
  await page.getByRole("contentinfo").getByRole("link", { name: "Messages" }).click();
  await expect(page).toHaveURL(/\/messages$/);
  await page.getByRole("button", { name: "Logout" }).first().click();
  await expect(page).toHaveURL(/\/$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
  await page.goBack();
  await expect(page).toHaveURL(/\/featured-writers$/);
});

test("after signing out, Back shows no page of the member", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  await signInAs(await newMember("Lou Leaver"));
  await page.goto("/");
  await waitForHydration(page);
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

test("Skip to content and Back to top move the focus without a history entry", inBrowserOnly, async ({ page, site, newMember }) => {
  const id = await addPost({ site }, await newMember("Jo Jumps"), { id: `jump-${Math.random().toString(36).slice(2, 8)}` });
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  // Loads the code for the focus, which otherwise loads when the page is idle.
  await page.getByRole("button", { name: "Share" }).first().click();
  await page.getByRole("menu").press("Escape");
  await page.getByRole("contentinfo").getByRole("link", { name: "Contact Us" }).click();
  await expect(page).toHaveURL(/\/contact$/);
  const entry = () =>
    page.evaluate(() => ({ address: window.location.href, number: window.history.state.idx, all: window.history.length }));
  const before = await entry();

  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.getByRole("link", { name: "Back to top" }).press("Enter");
  await expect(page.locator("#top")).toBeFocused();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("banner").getByRole("link").first()).toBeFocused();
  expect(await entry()).toEqual(before);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`/post/${id}$`));
});
