import { copyIdOf } from "#domain/drafts/draft.ts";
import { readWorkingCopy } from "#domain/drafts/draft-reads.server.ts";
import { saveWorkingCopy } from "#domain/drafts/working-copies.server.ts";
import { storeDraftPicture } from "#domain/files/post-files.server.ts";
import { updatePost } from "#domain/posts/update-post.server.ts";
import { picture } from "../../support/pictures.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "../support/fixtures.ts";
import { choosePicture, waitForEditor } from "../support/post-form.ts";
import { publishPost } from "../support/publish-post.ts";

test(
  "a second conflict replaces the first, and Keep mine keeps a picture",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs, problems }) => {
    problems.allow(/status of 409/);
    problems.allowLostConnection();
    const author = await newMember("Dora Devices");
    const id = await publishPost(site, author, "Once.");
    await signInAs(author);
    await page.goto(`/edit-post/${id}`);
    await waitForHydration(page);
    await waitForEditor(page);
    const uploaded = page.waitForResponse("**/drafts/picture");
    await choosePicture(page, await picture("page.png"));
    await uploaded;
    await page.getByLabel("Content").fill("Mine.");
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();

    await page.route("**/drafts/save", (route) => route.abort());
    const { revision: base, ...copy } = await readWorkingCopy(site, author, copyIdOf(author.id, id));
    const { id: featuredImage } = await storeDraftPicture(site, author, "featured", await picture("phone.png"));
    const draft = { ...copy, content: "By phone.", featuredImage };
    await saveWorkingCopy(site, author, { ...copy, base, writer: "the-phone", count: 1, userId: author.id, draft });
    await updatePost(site, author, id, { title: copy.title, content: "Published by phone.", status: "active" }, { version: 1 });

    await page.getByLabel("Content").fill("Mine, and more.");
    await page.getByRole("button", { name: "Update Post" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Published by phone.");
    await page.unroute("**/drafts/save");
    await expect(dialog).toContainText("Saved in another tab or browser");
    await expect(dialog).toContainText("By phone.");
    await expect(dialog).not.toContainText("Published by phone.");
    await expect(dialog).toContainText("The featured pictures differ.");
    // Only a choice closes it.
    await page.keyboard.press("Escape");
    await page.mouse.click(2, 2);
    await page.getByRole("button", { name: "Keep mine" }).click();
    await expect(page.locator(`img[src*="${featuredImage}"]`)).toBeVisible();
  },
);
