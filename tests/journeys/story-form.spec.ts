import { createPost } from "#domain/posts/posts.server.ts";
import { noise, picture } from "../support/pictures.ts";
import { expect, test, waitForHydration } from "./support/fixtures.ts";
import { choosePicture, expectContent, fillPost, publish, uniqueTitle, waitForEditor } from "./support/post-form.ts";
import { expectToast } from "./support/toasts.ts";

const content = "Something that took an hour to write.";

test.beforeEach(async ({ page, newMember, signInAs, problems }) => {
  problems.allow(/status of (409|422)/); // The response to an invalid form.
  await signInAs(await newMember("Form Filler"));
  await page.goto("/add-post");
  await waitForHydration(page);
  await waitForEditor(page);
});

test.describe("the slug", () => {
  test("follows the title until it is edited", async ({ page }) => {
    await page.getByLabel("Title").fill("Über die Brücke & zurück");
    await expect(page.getByLabel("Slug")).toHaveValue("uber-die-brucke-zuruck");
    await page.getByLabel("Slug").fill("bridge");
    await page.getByLabel("Title").fill("Another title");
    await expect(page.getByLabel("Slug")).toHaveValue("bridge");
  });
  test("warns when it is cut to 35 characters", async ({ page }) => {
    await page.getByLabel("Title").fill("A title that is much too long for an address of thirty-five");
    await expect(page.getByText("Slug truncated to 35 characters for optimal compatibility")).toBeVisible();
    await expect(page.getByText("35 / 35")).toBeVisible();
  });
  test("of emoji is story- and six characters, of Arabic a transliteration", async ({ page }) => {
    await page.getByLabel("Title").fill("🎉🎊");
    await expect(page.getByLabel("Slug")).toHaveValue(/^story-[a-z0-9]{6}$/);
    await page.getByLabel("Title").fill("مرحبا بالعالم");
    await expect(page.getByLabel("Slug")).toHaveValue(/^[a-z]+-[a-z]+$/);
  });
  test("typed while the library for Cyrillic loads stays", async ({ page }) => {
    const released = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await released.promise;
      await route.continue();
    });
    const loaded = page.waitForResponse("**/assets/*.js");
    await page.getByLabel("Title").fill("Снег и вода");
    await page.getByLabel("Slug").fill("snow");
    released.resolve();
    await (await loaded).finished();
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
    await expect(page.getByLabel("Slug")).toHaveValue("snow");
    await page.getByLabel("Slug").fill("");
    await page.getByLabel("Title").fill("Снег и лёд");
    await expect(page.getByLabel("Slug")).toHaveValue("sneg-i-lyod");
  });

  test("of 36 characters is refused, and all input stays", async ({ page }) => {
    await fillPost(page, { title: uniqueTitle("Long"), slug: "a".repeat(36), content });
    await publish(page).click();
    await expect(page.getByText("Slug cannot exceed 35 characters", { exact: true })).toBeVisible();
    await expectContent(page, content);
    await expect(page.getByText("lighthouse_optimized.jpg")).toBeVisible();
  });
  test("in use gets a free one proposed", async ({ page, site, newMember }) => {
    const title = uniqueTitle("Taken");
    const slug = title.toLowerCase().replaceAll(" ", "-");
    await createPost(site, await newMember("Quick Writer"), { title, slug, content: "First.", status: "active" }, await picture());
    await fillPost(page, { title, content });
    await publish(page).click();
    await expect(page.getByText(/^Failed to create post: that address is taken/).first()).toBeVisible();
    await page.getByRole("button", { name: /^Use “.+-2”$/ }).click();
    await publish(page).click();
    await expect(page).toHaveURL(/\/post\/.+-2$/);
  });
});

test.describe("the featured image", () => {
  test("is required once the rest is filled in", async ({ page }) => {
    await fillPost(page, { title: uniqueTitle("Bare"), content, picture: null });
    await expect(page.getByText("Featured image is required")).toBeVisible();
    await expect(publish(page)).toBeDisabled();
  });
  test("is refused for a wrong type or over 10 MB", async ({ page }) => {
    await choosePicture(page, { name: "notes.txt", bytes: Buffer.from("notes") });
    await expect(page.getByText("Please select a valid image file")).toBeVisible();
    await choosePicture(page, await noise(11));
    await expect(page.getByText("Image size should be less than 10MB")).toBeVisible();
    await expect(publish(page)).toBeDisabled();
  });
  test("that the browser can't decode is sent unchanged, and the server refuses it", async ({ page }) => {
    await fillPost(page, { title: uniqueTitle("Fake"), content, picture: { name: "notes.png", bytes: Buffer.from("not a picture") } });
    await expectToast(page, "Failed to process image");
    await expect(page.getByText("Please select a valid image file")).toBeVisible();
    await expect(publish(page)).toBeDisabled();
    await expectContent(page, content);
  });
  test("is cropped to 1200x630 in the browser, and can be removed", async ({ page }) => {
    await choosePicture(page, await picture("holiday.png", 900, 1600));
    await expect(page.getByText("1200 × 630", { exact: true })).toBeVisible();
    await expect(page.getByText("holiday_optimized.jpg")).toBeVisible();
    await page.getByRole("button", { name: "Remove image" }).click();
    await expectToast(page, "Image removed");
    await expect(page.getByLabel("Featured image", { exact: true })).toBeFocused();
    await expect(publish(page)).toBeDisabled();
  });
});

test("a title is required", async ({ page }) => {
  await fillPost(page, { slug: uniqueTitle("slug").toLowerCase().replaceAll(" ", "-"), content });
  await publish(page).click();
  await expect(page.getByText("Title is required", { exact: true })).toBeVisible();
  await expectContent(page, content);
});

test("HTML and scripts in title and text are shown as text", async ({ page }) => {
  const title = uniqueTitle("<img src=x onerror=alert(1)> Bold");
  await fillPost(page, {
    title,
    slug: uniqueTitle("html").toLowerCase().replaceAll(" ", "-"),
    content: "<b onclick='alert(1)'>bold</b><script>alert(1)</script>",
  });
  await publish(page).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  expect(await page.locator("article script, article [onclick], article [onerror]").count()).toBe(0);
});

test("a text beyond the limit is refused and stays in the form", async ({ page }) => {
  await fillPost(page, { title: uniqueTitle("Endless") });
  await page.getByLabel("Content").evaluate((editor) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "nine more words stand here, and then a new line.\n".repeat(10_400));
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await publish(page).click();
  await expect(page.getByText("Content cannot exceed 500,000 characters", { exact: true })).toBeVisible();
  await expect(page.getByText("104,000 words")).toBeVisible();
  const editor = page.getByLabel("Content");
  await expect(editor).toBeFocused();
  await expect(editor).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.type("More.");
  await expect(editor).not.toHaveAttribute("aria-invalid");
});

test("the toolbar formats, and the preview renders", async ({ page }) => {
  await page.getByLabel("Content").fill("plain");
  await page.getByLabel("Content").press("Control+a");
  await page.getByRole("button", { name: "Bold" }).click();
  await expectContent(page, "**plain**");
  await page.keyboard.press("Control+z");
  await expectContent(page, "plain");
  await page.getByLabel("Content").press("Control+a");
  await page.keyboard.press("Control+i");
  await expectContent(page, "*plain*");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("region", { name: "Preview" }).locator("em")).toHaveText("plain");
});

test("a draft survives a reload and is removed when the story is published", async ({ page }) => {
  const title = uniqueTitle("Reloaded");
  await fillPost(page, { title, content, picture: null });
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await expectContent(page, content);
  await waitForHydration(page);
  await choosePicture(page, await picture());
  await publish(page).click();
  await expect(page).toHaveURL(/\/post\//);
  await page.goto("/add-post");
  await waitForHydration(page);
  await expect(page.getByLabel("Title")).toHaveValue("");
});

test("a refused story survives a reload, and Cancel still leads home", async ({ page }) => {
  await page.goto("/add-post?new");
  await waitForHydration(page);
  await waitForEditor(page);
  const title = uniqueTitle("Refused");
  await fillPost(page, { title, slug: "a".repeat(36), content });
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await publish(page).click();
  await expect(page.getByText("Slug cannot exceed 35 characters", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await expectContent(page, content);
  await waitForHydration(page);
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
});

test("a draft survives although the browser's database had no time to save it and the server was down", async ({ page, problems }) => {
  problems.allowLostConnection();
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("no time", "UnknownError");
    };
  });
  await page.route("**/drafts/save", (route) => route.abort());
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await waitForHydration(page);
  const title = uniqueTitle("Interrupted");
  await fillPost(page, { title, content, picture: null });
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await expectContent(page, content);
});

test("a lost connection loses nothing, and publishing works once it is back", async ({ page, context, problems }) => {
  problems.allowLostConnection();
  const title = uniqueTitle("Offline");
  await fillPost(page, { title, content });
  await context.setOffline(true);
  await publish(page).click();
  await expect(page.getByText(/Failed to create post: the connection was lost/).first()).toBeVisible();
  await expectContent(page, content);
  await context.setOffline(false);
  await publish(page).click();
  await expect(page).toHaveURL(/\/post\//);
});

test("the form takes no text while the story is sent, and again after a failure", async ({ page, problems }) => {
  problems.allowLostConnection();
  await fillPost(page, { title: uniqueTitle("Slowly"), content });
  const released = Promise.withResolvers<void>();
  await page.route("**/add-post.data", async (route) => {
    await released.promise;
    await route.abort();
  });
  await publish(page).click();
  await expect(page.getByText("Publishing...")).toBeVisible();
  await page.getByLabel("Content").focus();
  await page.keyboard.type("Lost?");
  await expectContent(page, content);
  released.resolve();
  await expect(page.getByText(/Failed to create post: the connection was lost/).first()).toBeVisible();
  await page.unroute("**/add-post.data");
  await page.getByLabel("Content").press("Control+End");
  await page.keyboard.type(" And a last sentence.");
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await publish(page).click();
  await expect(page.locator(".prose-ink")).toHaveText(`${content} And a last sentence.`);
});
