import type { Locator, Page } from "@playwright/test";
import { setFollow } from "#domain/follows/follows.server.ts";
import { picture } from "../../support/pictures.ts";
import { addPost } from "../../support/posts.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "../support/fixtures.ts";
import { publish, uniqueTitle, waitForEditor } from "../support/post-form.ts";
import { expectToast } from "../support/toasts.ts";
import { onDisk } from "../support/uploads.ts";

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Moves the focus by Tab alone, up to a limit. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toHaveCount(1);
  for (let steps = 0; steps < 120 && !(await isFocused(target)); steps++) await page.keyboard.press("Tab");
  await expect(target).toBeFocused();
}

async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

test("a story is written and published with a picture", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  const title = uniqueTitle("By Keys");
  await signInAs(await newMember("Kim Keys"));
  await page.goto("/");
  await waitForHydration(page);
  await press(page, page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Add Post" }));
  await expect(page.getByRole("heading", { name: "Create Post" })).toBeVisible();
  await waitForEditor(page);
  await tabTo(page, page.getByLabel("Title"));
  await page.keyboard.type(title);
  await tabTo(page, page.getByLabel("Content"));
  await page.keyboard.type("Without a mouse.");
  const chosen = page.waitForEvent("filechooser");
  await press(page, page.getByLabel("Featured image", { exact: true }));
  await (await chosen).setFiles(onDisk(await picture()));
  await expect(publish(page)).toBeEnabled();
  await press(page, publish(page));
  await expectToast(page, "Post published successfully!");
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
});

test("a message is sent from a profile", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  const { id } = await newMember("Bert Below");
  await signInAs(await newMember("Ada Above"));
  await page.goto(`/profile/${id}`);
  await waitForHydration(page);
  await press(page, page.getByRole("link", { name: "Message", exact: true }));
  await tabTo(page, page.getByLabel("Message", { exact: true }));
  await page.keyboard.type("Good morning");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log").locator("div.group", { hasText: "Good morning" }).getByText("Sent")).toBeAttached();
  await expect(page.getByLabel("Message", { exact: true })).toBeFocused();
});

test("a story is reported, and the focus returns", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const id = uniqueTitle("reported").replaceAll(" ", "-");
  await addPost({ site }, await newMember("Rae Reported"), { id, title: "Reported" });
  await signInAs(await newMember("Rick Reports"));
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  const report = page.getByRole("link", { name: "Report", exact: true });
  await press(page, report);
  const dialog = page.getByRole("dialog", { name: "Report this story" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(report).toBeFocused();
  await page.keyboard.press("Enter");
  await press(page, dialog.getByRole("radio").first(), "Space");
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByRole("radio").nth(1)).toBeChecked();
  await tabTo(page, dialog.getByLabel("Note"));
  await page.keyboard.type("By keys.");
  await press(page, dialog.getByRole("button", { name: "Send report" }));
  await expectToast(page, "Thank you. We’ll review it.");
  await expect(report).toBeFocused();
});

test(
  "stories are moderated, one and many, and the focus stays in the table",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs }) => {
    const author = await newMember("Mo Moderated");
    const mark = `m${Math.random().toString(36).slice(2, 8)}`;
    for (const part of ["one", "two"]) await addPost({ site }, author, { id: `${mark}-${part}`, title: `${mark} ${part}` });
    await signInAs(await newMember("Kay Keeper", { staff: "administrator" }));
    await page.goto(`/admin/posts?q=${mark}`);
    await waitForHydration(page);
    const one = page.getByRole("row", { name: `${mark} one` });
    const dialog = page.getByRole("dialog");

    const more = one.getByRole("button", { name: `More for ${mark} one` });
    await press(page, more);
    await page.keyboard.type("adj");
    await expect(page.getByRole("menuitem", { name: "Adjust Likes" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(more).toBeFocused();
    await page.keyboard.press("Enter");
    await page.keyboard.type("adj");
    await expect(page.getByRole("menuitem", { name: "Adjust Likes" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("textbox")).toBeFocused();
    await page.keyboard.type("5");
    await page.keyboard.press("Enter");
    await expectToast(page, "Likes adjusted: 0 → 5");
    await expect(more).toBeFocused();

    await press(page, one.getByRole("button", { name: `Unpublish ${mark} one` }));
    await expect(dialog.getByLabel("Why?")).toBeFocused();
    await page.keyboard.type("Too long");
    await press(page, dialog.getByRole("button", { name: "Unpublish" }));
    await expectToast(page, "Post unpublished");
    await expect(one.getByRole("button", { name: `Publish ${mark} one` })).toBeFocused();

    const all = page.getByRole("table").getByRole("checkbox", { name: "Select all on this page" });
    await page.keyboard.down("Shift");
    await tabTo(page, all);
    await page.keyboard.up("Shift");
    await page.keyboard.press("Space");
    await page.keyboard.down("Shift");
    await tabTo(page, page.getByRole("button", { name: "Feature", exact: true }));
    await page.keyboard.up("Shift");
    await page.keyboard.press("Enter");
    await press(page, dialog.getByRole("button", { name: "Feature" }));
    await expectToast(page, "2 posts featured");
    await press(page, page.getByText("2 posts featured").getByRole("button", { name: "Undo" }));
    await expectToast(page, "2 undone");
    await expect(one.getByRole("img", { name: "Featured" })).toHaveCount(0);
  },
);

test("after what had the focus is gone, the focus is next to it", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const author = await newMember("Fay Focus");
  const mark = `f${Math.random().toString(36).slice(2, 8)}`;
  for (const day of [1, 2, 3])
    await addPost({ site }, author, { id: `${mark}-${day}`, title: `${mark} ${day}`, createdAt: Date.UTC(2026, 0, day) });
  await setFollow(site, await newMember("Flo Follows"), { userId: author.id, following: true });
  await signInAs(author);
  await page.goto("/profile?tab=posts");
  await waitForHydration(page);
  await press(page, page.getByRole("button", { name: `Delete: ${mark} 2` }));
  await press(page, page.getByRole("alertdialog").getByRole("button", { name: "Delete" }));
  await expect(page.getByRole("heading", { name: `${mark} 2` })).toHaveCount(0);
  const next = page.getByRole("article").filter({ hasText: `${mark} 1` });
  await expect(next).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(next.getByRole("link", { name: `${mark} 1`, exact: true })).toBeFocused();

  await press(
    page,
    page
      .getByRole("banner")
      .getByRole("link", { name: /^Notifications/ })
      .filter({ visible: true }),
  );
  const item = page.getByRole("list", { name: "Notifications" }).getByRole("listitem");
  await press(page, item.getByRole("button", { name: "Mark as read" }));
  await expect(item.getByRole("button", { name: "Mark as read" })).toHaveCount(0);
  await expect(item.locator(":focus")).toHaveText(/Flo Follows started following you/);
});
