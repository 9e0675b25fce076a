import { picture } from "../support/pictures.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { choosePicture, expectContent, fillPost, publish, uniqueTitle, waitForEditor } from "./support/post-form.ts";
import { publishPost } from "./support/publish-post.ts";
import { expectToast } from "./support/toasts.ts";
import { onDisk } from "./support/uploads.ts";

test.beforeEach(async ({ page, newMember, signInAs, problems }) => {
  problems.allow(/status of 422/); // The response to an invalid form.
  await signInAs(await newMember("Edith Editor"));
  await page.goto("/add-post");
  await waitForHydration(page);
  await waitForEditor(page);
});

test("a picture is inserted and described, and the page doesn't shift", inBrowserOnly, async ({ page }) => {
  const title = uniqueTitle("Chosen");
  await fillPost(page, { title });
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Picture" }).click();
  await (await chooser).setFiles(onDisk(await picture("IMG_2041.png", 1500, 1000)));
  await expect(page.getByLabel("Content")).toContainText("![](/files/");
  await page.getByLabel("Describe this picture").fill("a red door");
  await expect(page.getByLabel("Content")).toContainText("![a red door](/files/");
  await expectAccessible(page);
  await publish(page).click();
  const shown = page.getByRole("img", { name: "a red door" });
  await expect(shown).toHaveAttribute("width", "1200");
  await expect(shown).toHaveAttribute("height", "800");
  await expect(shown).toHaveAttribute("srcset", /\/640\.webp 640w/);
});

test("on a phone a picture gets its own paragraph and a description field under the toolbar", inBrowserOnly, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const content = page.getByLabel("Content");
  await content.fill("Some words right here!");
  await content.press("End");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Picture" }).click();
  await (await chooser).setFiles(onDisk(await picture("inner.png")));
  const field = page.getByLabel("Describe this picture");
  await expect(field).toHaveValue("");
  const toolbar = await page.getByRole("toolbar", { name: "Formatting" }).boundingBox();
  expect((await field.boundingBox())?.y).toBeLessThan((toolbar?.y ?? 0) + 120);
  await expect(field).toBeInViewport();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(content).toBeFocused();
  await page.keyboard.type("And on.");
  await expect(content.locator(".cm-line")).toHaveText(["Some words right here!", "", /^!\[\]\(\/files\/.*\)$/, "", "And on."]);
});

test("the form fits a small phone, and a cut-off tool hints at more", inBrowserOnly, async ({ page }) => {
  // Without a save, the longest text stays in the bar.
  await page.route("**/drafts/save", () => {});
  await page.getByLabel("Title").fill("A title");
  await choosePicture(page, await picture("a-long-name-from-a-camera-20261126-000012345.jpg"));
  await expect(page.getByText("a-long-name-from-a-camera-20261126-000012345_optimized.jpg")).toBeVisible();
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  for (const width of [390, 375, 360, 320]) {
    await page.setViewportSize({ width, height: 700 });
    // The header is laid out in the frame after a resize.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBe(width);
    const toolbar = page.getByRole("toolbar", { name: "Formatting" });
    const countCutIcons = () =>
      toolbar.evaluate((row) => {
        const end = row.getBoundingClientRect().right;
        const icons = [...row.querySelectorAll("svg")].map((icon) => icon.getBoundingClientRect());
        return icons.filter(({ left, right }) => left < end - 4 && right > end + 4).length;
      });
    await expect.poll(countCutIcons, `${width} px`).toBe(1);
  }
});

test("a dropped picture goes where it is dropped, and dragged text moves", inBrowserOnly, async ({ page }) => {
  const content = page.getByLabel("Content");
  await content.fill("First words.\n\nLast words.");
  const { bytes } = await picture("door.png");
  await content
    .locator(".cm-line")
    .first()
    .evaluate((line, base64) => {
      const range = document.createRange();
      range.selectNodeContents(line);
      const { right, top, height } = range.getBoundingClientRect();
      const dataTransfer = new DataTransfer();
      const file = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      dataTransfer.items.add(new File([file], "door.png", { type: "image/png" }));
      const place = { clientX: right + 5, clientY: top + height / 2 };
      line.dispatchEvent(new DragEvent("drop", { dataTransfer, ...place, bubbles: true, cancelable: true }));
    }, Buffer.from(bytes).toString("base64"));
  await expect(content.locator(".cm-line")).toHaveText(["First words.", "", /^!\[\]\(\/files\/.*\)$/, "", "Last words."]);

  await content.fill("onetwo");
  await content.press("Home");
  for (let letter = 0; letter < 3; letter++) await content.press("Shift+ArrowRight");
  const line = await content.locator(".cm-line").boundingBox();
  if (!line) throw new Error("the line isn't shown");
  const y = line.y + line.height / 2;
  await page.mouse.move(line.x + 10, y);
  await page.mouse.down();
  // The drag begins with a small movement, as by hand; the editor takes a large one for a selection.
  await page.mouse.move(line.x + 15, y);
  await page.mouse.move(line.x + 200, y);
  await page.mouse.up();
  await expectContent(page, "twoone");
});

test("an upload can be canceled", inBrowserOnly, async ({ page, problems }) => {
  problems.allowLostConnection();
  await page.route("**/drafts/picture", () => {});
  await page.locator("input[data-pictures]").setInputFiles(onDisk(await picture("door.png")));
  await expect(page.getByLabel("Content")).toContainText("Uploading door");
  await page.getByRole("button", { name: "Cancel uploading" }).click();
  await expectContent(page, "Write your story…");
});

test("a failed upload of a featured picture is reported, and the form sends it", inBrowserOnly, async ({ page, problems }) => {
  problems.allowLostConnection();
  await page.route("**/drafts/picture", (route) => route.abort());
  await fillPost(page, { title: uniqueTitle("Unsent"), content: "A text." });
  await expectToast(page, "Failed to upload image");
  await publish(page).click();
  await expect(page).toHaveURL(/\/post\//);
});

test("a featured picture that the browser is still cropping goes with the form", inBrowserOnly, async ({ page }) => {
  await page.evaluate(() => Object.assign(window, { createImageBitmap: () => new Promise(() => {}) }));
  await fillPost(page, { title: uniqueTitle("Uncropped"), content: "A text." });
  await publish(page).click();
  await expect(page).toHaveURL(/\/post\//);
});

test("a featured picture uploaded while the form is sent changes the draft after a refusal", inBrowserOnly, async ({ page, problems }) => {
  problems.allowLostConnection();
  const [sent, uploaded] = [Promise.withResolvers<void>(), page.waitForResponse("**/drafts/picture")];
  const refused = Promise.withResolvers<void>();
  await page.route("**/drafts/picture", async (route) => {
    await sent.promise;
    await route.continue();
  });
  await page.route("**/add-post.data", async (route) => {
    sent.resolve();
    await refused.promise;
    await route.abort("connectionreset");
  });
  await fillPost(page, { title: uniqueTitle("Slow Picture"), content: "A text." });
  const saved = page.getByText("Saved", { exact: true });
  await expect(saved).toBeVisible();
  await publish(page).click();
  await (await uploaded).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  expect(await saved.isVisible()).toBe(true);
  const save = page.waitForRequest("**/drafts/save");
  refused.resolve();
  await expect(page.getByText(/Failed to create post: the connection was lost/).first()).toBeVisible();
  expect((await save).postData()).toMatch(/"featuredImage":"\w+"/);
});

test("the toolbar converts lists, keeps selections and adds links", inBrowserOnly, async ({ page }) => {
  const content = page.getByLabel("Content");
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await content.fill("one\ntwo");
  await content.press("Control+a");
  await press("Bullet list");
  await expectContent(page, "- one\n- two");
  await expect(page.getByRole("button", { name: "Bullet list" })).toHaveAttribute("aria-pressed", "true");
  await press("Numbered list");
  await expectContent(page, "1. one\n2. two");
  await press("Bold");
  await expectContent(page, "1. **one**\n2. **two**");

  await content.fill("the map");
  await content.press("Control+a");
  await content.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Add a link" });
  await dialog.getByLabel("Address").fill("https://");
  await dialog.getByRole("button", { name: "Add link" }).click();
  await expect(dialog.getByText("Enter an address, such as https://example.com")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Address").fill("example.com/map");
  await dialog.getByLabel("Address").press("Enter");
  await expectContent(page, "[the map](https://example.com/map)");
  await expect(content).toBeFocused();

  await content.fill("here");
  await content.press("Control+a");
  await content.evaluate((editor) => {
    const data = new DataTransfer();
    data.setData("text/plain", "https://example.com/tides");
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expectContent(page, "[here](https://example.com/tides)");
});

test("on a Mac, Command formats and Control moves the cursor", inBrowserOnly, async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
  await page.reload();
  await waitForHydration(page);
  await waitForEditor(page);
  const content = page.getByLabel("Content");
  await content.fill("one");
  await content.press("Control+a");
  await content.press("Control+e");
  await page.keyboard.type(" two");
  await expectContent(page, "one two");
  await content.press("Control+b");
  await page.keyboard.type("-");
  await expectContent(page, "one tw-o");
  await content.press("Meta+a");
  await content.press("Meta+b");
  await expectContent(page, "**one tw-o**");
  await expect(page.getByRole("button", { name: "Strikethrough" })).toHaveAttribute("title", "Strikethrough (⇧⌘X)");
});

test("an error disappears when its field changes", inBrowserOnly, async ({ page }) => {
  await fillPost(page, { content: "A text without a title." });
  await publish(page).click();
  await expect(page.getByText("Title is required", { exact: true })).toHaveCount(1);
  await expect(page.getByText("Slug is required")).toHaveCount(0);
  await expect(page.getByLabel("Title")).toBeFocused();
  await page.getByLabel("Title").fill(uniqueTitle("Named"));
  await expect(page.getByText("Title is required", { exact: true })).toHaveCount(0);
});

test("Enter in a field doesn't publish", inBrowserOnly, async ({ page }) => {
  await fillPost(page, { title: uniqueTitle("Entered"), content: "A text." });
  for (const label of ["Slug", "Draft"]) await page.getByLabel(label).press("Enter");
  await page.getByLabel("Content").fill("Another text.");
  await publish(page).click();
  await expect(page.locator(".prose-ink")).toHaveText("Another text.");
});

test("on a phone, the preview shows the latest text and leads back", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const author = await newMember("Petra Phone");
  await signInAs(author);
  await publishPost(site, author, uniqueTitle("Phone"));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/profile?tab=posts");
  await waitForHydration(page);
  await page.getByRole("link", { name: /^Edit: / }).click();
  await waitForEditor(page);
  await page.getByLabel("Content").fill("Typed this very moment.");
  await page.getByRole("button", { name: "Code block" }).scrollIntoViewIfNeeded();
  await page.evaluate(() => window.scrollTo(0, 500));
  await expect(page.getByRole("button", { name: "Update Post" })).toBeInViewport();
  await expect(
    page
      .locator("[data-bar]")
      .getByText(/^(Unsaved|Saved)/)
      .last(),
  ).toBeInViewport();
  await expect(page.getByRole("toolbar", { name: "Formatting" })).toBeInViewport();
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole("button", { name: "More" }).click();
  const opened = page.waitForEvent("popup");
  await page.getByRole("menuitem", { name: "Preview Post" }).click();
  const preview = await opened;
  await expect(preview.getByText("Typed this very moment.")).toBeVisible();
  await expect(preview.getByText("Only you can see this.")).toBeVisible();
  await preview.close();
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/profile\?tab=posts$/);
});

test(
  "a story isn't sent while a picture uploads, nor with the place of one lost in a reload",
  inBrowserOnly,
  async ({ page, problems }) => {
    problems.allowLostConnection();
    page.on("dialog", (dialog) => void dialog.accept());
    const featured = page.waitForResponse("**/drafts/picture");
    await fillPost(page, { title: uniqueTitle("Hurried"), content: "Some words." });
    await featured;
    await page.getByLabel("Content").press("Control+End");
    await page.route("**/drafts/picture", () => {});
    const saved = page.waitForResponse("**/drafts/save");
    await page.locator("input[data-pictures]").setInputFiles(onDisk(await picture("door.png")));
    await expect(page.getByLabel("Content")).toContainText("Uploading door");
    await publish(page).click();
    await expectToast(page, "A picture is still uploading");
    await saved;
    await expect(page.getByText("Unsaved changes")).toBeVisible();
    await page.reload();
    await waitForEditor(page);
    await expect(page.getByLabel("Content")).toContainText("Some words.");
    await expect(page.getByLabel("Content")).not.toContainText("Uploading");
    await publish(page).click();
    await expect(page.locator(".prose-ink")).toHaveText("Some words.");
  },
);
