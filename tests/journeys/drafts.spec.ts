import { createPost } from "#domain/posts/posts.server.ts";
import { typeUnderFaults } from "../faults/lost-typing.ts";
import { picture } from "../support/pictures.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { choosePicture, expectContent, fillPost, publish, uniqueTitle, waitForEditor } from "./support/post-form.ts";
import { publishPost } from "./support/publish-post.ts";
import { expectToast } from "./support/toasts.ts";
import { onDisk } from "./support/uploads.ts";

const saved = "Saved";

test("every fault loses at most two seconds of typing", async ({ problems }) => {
  test.setTimeout(360_000);
  problems.allow(/./); // The browser is a separate one.
  const losses = await typeUnderFaults([
    "browser killed",
    "server killed, then the browser",
    "session ended, then the tab closed",
    "machine lost",
  ]);
  // The machine was stalled while a word took to appear.
  expect(Math.max(...losses.map(({ lost, slowest }) => lost - slowest))).toBeLessThanOrEqual(2_000);
});

test("a story is started, found in the drafts, published, edited, and an old version restored", async ({ page, newMember, signInAs }) => {
  await signInAs(await newMember("Dora Drafts"));
  const title = uniqueTitle("Kettles");
  await page.goto("/add-post");
  await waitForHydration(page);
  await waitForEditor(page);
  // Holds the save until the page is seen without one.
  let save = () => {};
  const checked = new Promise<void>((resolve) => {
    save = resolve;
  });
  await page.route("**/drafts/save", async (route) => {
    await checked;
    await route.continue();
  });
  await fillPost(page, { title, content: "The first text.", picture: null });
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  save();
  await expect(page.getByText(saved, { exact: true })).toBeVisible();
  await page.unroute("**/drafts/save");

  await page.goto("/profile?tab=drafts");
  await expect(page.getByText("0 saved drafts")).toBeVisible();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Continue" }).click();
  await expectContent(page, "The first text.");
  await waitForHydration(page);
  await choosePicture(page, await picture());
  await page.getByLabel("Draft").check();
  await page.getByRole("button", { name: "Save Draft" }).click();
  await expectToast(page, "Draft saved successfully!");

  await page.goto("/profile?tab=drafts");
  await expect(page.getByText("1 saved draft", { exact: true })).toBeVisible();
  await waitForHydration(page);
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByText("Are you sure you want to publish this draft?")).toBeVisible();
  await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
  await expectToast(page, "Draft published successfully!");

  await page.goto("/profile?tab=posts");
  await expect(page.getByText("1 post published")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: /^Edit: / }).click();
  await expect(page.getByRole("heading", { name: "Edit Post" })).toBeVisible();
  await waitForHydration(page);
  await waitForEditor(page);
  await expectAccessible(page);
  await expect(page.getByLabel("Slug")).toHaveAttribute("readonly");
  await page.getByLabel("Content").fill("The second text.");
  await expect(page.getByText(saved, { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Update Post" }).click();
  await expectToast(page, "Post updated successfully!");
  await expect(page.locator("article").first()).toContainText("The second text.");

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("link", { name: "History" }).click();
  await expect(page.getByRole("heading", { name: "History" })).toBeVisible();
  await expect(page.getByText("The first text.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Compare with current" }).click();
  await expect(page.getByRole("insertion")).toHaveText("second");
  await expect(page.getByRole("deletion")).toHaveText("first");
  await page.getByRole("button", { name: "Restore" }).click();
  await expectContent(page, "The first text.");
});

test("with two tabs, the outdated one shows both texts and keeps the chosen one", async ({ page, newMember, signInAs, problems }) => {
  problems.allow(/status of 409/);
  await signInAs(await newMember("Tara Tabs"));
  await page.goto("/add-post");
  await waitForHydration(page);
  await waitForEditor(page);
  await fillPost(page, { title: uniqueTitle("Tabs"), content: "Begun.", picture: null });
  await expect(page.getByText(saved, { exact: true })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await waitForHydration(other);
  await expectContent(other, "Begun.");

  // A tab without changes updates itself.
  await page.getByLabel("Content").fill("Begun. And on.");
  await expectContent(other, "Begun. And on.");

  // A tab with changes asks. Both are offline while typing.
  await page.context().setOffline(true);
  problems.allowLostConnection();
  await page.getByLabel("Content").fill("Mine.");
  await other.getByLabel("Content").fill("Theirs.");
  await expect(page.getByText(/You’re offline or the site isn’t responding/)).toBeVisible();
  await page.context().setOffline(false);
  await expect.poll(async () => (await page.getByRole("dialog").count()) + (await other.getByRole("dialog").count())).toBe(1);
  const stale = (await page.getByRole("dialog").count()) > 0 ? page : other;
  await expect(stale.getByRole("dialog")).toContainText("Mine.");
  await expect(stale.getByRole("dialog")).toContainText("Theirs.");
  await expectAccessible(stale);
  await stale.getByRole("button", { name: "Keep both" }).click();
  await expectToast(stale, "saved as a separate unfinished story");
  await stale.goto("/profile?tab=drafts");
  await expect(stale.getByText("Mine.")).toBeVisible();
  await expect(stale.getByText("Theirs.")).toBeVisible();
});

test(
  "links within the page keep a new story and its undo history, also offline",
  inBrowserOnly,
  async ({ page, newMember, signInAs, problems }) => {
    problems.allowLostConnection();
    await signInAs(await newMember("Ligia Links"));
    const begin = async (text: string) => {
      await page.goto("/add-post?new");
      await waitForHydration(page);
      await waitForEditor(page);
      await page.getByLabel("Content").pressSequentially(text);
      await expect(page.getByText(saved, { exact: true })).toBeVisible();
    };
    // As a click does until the code that handles such links has loaded (app/ui/panels/focus.ts).
    const followLink = (hash: string) => page.evaluate((address) => window.location.assign(address), hash);
    await begin("A");
    const reloaded = page.waitForResponse(/add-post\.data/);
    await followLink("#main");
    await reloaded;
    await expect(page).toHaveURL(/draft=/);
    await page.getByLabel("Content").press("Control+z");
    await expect(page.getByLabel("Content")).not.toContainText("A");
    await page.getByLabel("Content").press("Control+y");
    await expectContent(page, "A");
    await expect(page.getByText(saved, { exact: true })).toBeVisible();

    await begin("Two.");
    await page.context().setOffline(true);
    await followLink("#top");
    await expectToast(page, "This page couldn’t be loaded");
    await expectContent(page, "Two.");
    await page.getByLabel("Content").press("Control+End");
    await page.getByLabel("Content").pressSequentially(" Three.");
    await page.context().setOffline(false);
    await expect(page.getByText(saved, { exact: true })).toBeVisible();
    await page.reload();
    await expectContent(page, "Two. Three.");
  },
);

test("an author sees both texts when an administrator changed the story meanwhile", async ({
  page,
  site,
  newMember,
  signInAs,
  openBrowser,
  problems,
}) => {
  problems.allow(/status of 409/);
  const author = await newMember("Arthur Author");
  const title = uniqueTitle("Two People");
  const slug = title.toLowerCase().replaceAll(" ", "-");
  const { id } = await createPost(site, author, { title, slug, content: "Once.", status: "active" }, await picture());
  const edit = `/edit-post/${id}`;
  await signInAs(author);

  await page.goto(edit);
  const admin = await openBrowser(await newMember("Ada Admin", { staff: "administrator" }));
  await admin.goto(edit);
  for (const [each, text] of [
    [page, "The author's."],
    [admin, "The administrator's."],
  ] as const) {
    await waitForHydration(each);
    await waitForEditor(each);
    await each.getByLabel("Content").fill(text);
    await expect(each.getByText(saved, { exact: true })).toBeVisible();
  }
  await admin.getByRole("button", { name: "Update Post" }).click();
  await expectToast(admin, "Post updated successfully!");
  await page.getByRole("button", { name: "Update Post" }).click();
  await expect(page.getByRole("dialog")).toContainText("The administrator's.");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await page.getByRole("button", { name: "Update Post" }).click();
  await expectToast(page, "Post updated successfully!");
  await expect(page.locator("article").first()).toContainText("The author's.");
  await expect(page.locator("article").first()).toContainText("Arthur Author");

  const reader = await openBrowser(await newMember("Rita Reader"));
  await reader.goto(edit);
  await expectToast(reader, "You can only edit your own stories");
});

test("dropped pictures and pasted rich text become Markdown", async ({ page, newMember, signInAs }) => {
  await signInAs(await newMember("Petra Pictures"));
  await page.goto("/add-post");
  await waitForHydration(page);
  await waitForEditor(page);
  const title = uniqueTitle("Pictures");
  await fillPost(page, { title });
  const { bytes } = await picture("a-red-door.png", 300, 200);
  await page.getByLabel("Content").evaluate((editor, base64) => {
    const data = new DataTransfer();
    const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    data.items.add(new File([content], "a-red-door.png", { type: "image/png" }));
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, Buffer.from(bytes).toString("base64"));
  await expect(page.getByLabel("Content")).toContainText("![](/files/");
  await page.getByLabel("Content").press("Control+End");
  await page.getByLabel("Content").evaluate((editor) => {
    const data = new DataTransfer();
    data.setData("text/html", "<h2>Tides</h2><p>Some <b>wet</b> <i>sand</i>.</p>");
    data.setData("text/plain", "Tides Some wet sand.");
    // As office programs do.
    data.items.add(new File(["a picture of the text"], "image.png", { type: "image/png" }));
    editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(page.getByLabel("Content")).toContainText("Some **wet** *sand*.");
  await publish(page).click();
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  const shown = page.locator(".prose-ink img");
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
});

test("a story's picture is replaced, and shown again without the other", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const author = await newMember("Pina Picture");
  const id = await publishPost(site, author, "Once.");
  const pictureOf = () => site.db.selectFrom("posts").select("featuredImage").where("id", "=", id).executeTakeFirstOrThrow();
  const former = await pictureOf();
  await signInAs(author);
  await page.goto(`/edit-post/${id}`);
  await waitForHydration(page);
  const [replace, remove] = [page.getByRole("button", { name: "Replace image" }), page.getByRole("button", { name: "Remove image" })];
  await expect(remove).toHaveCount(0);
  const chooser = page.waitForEvent("filechooser");
  await replace.click();
  await (await chooser).setFiles(onDisk(await picture("other.png")));
  await expect(page.getByText("other_optimized.jpg")).toBeVisible();
  await remove.click();
  await expect(page.getByText("Current image")).toBeVisible();
  await expect(replace).toBeFocused();
  await page.getByRole("button", { name: "Update Post" }).click();
  await expectToast(page, "Post updated successfully!");
  expect(await pictureOf()).toEqual(former);
});

test("changes that couldn't be discarded are still saved while typing", async ({ page, site, newMember, signInAs, problems }) => {
  problems.allowLostConnection();
  const author = await newMember("Disa Discards");
  const id = await publishPost(site, author, "Once.");
  await signInAs(author);
  const openForm = async () => {
    await page.goto(`/edit-post/${id}`);
    await waitForHydration(page);
    await waitForEditor(page);
  };
  await openForm();
  await page.getByLabel("Content").fill("Twice.");
  await expect(page.getByText(saved, { exact: true })).toBeVisible();
  await openForm();
  const discard = async () => {
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("button", { name: "Discard", exact: true }).click();
  };
  await page.route("**/discard.data", (route) => route.abort());
  await discard();
  await expect(page.getByRole("alertdialog").getByText("The connection was lost")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).last().click();
  const save = page.waitForResponse("**/drafts/save");
  await page.getByLabel("Content").fill("Three times.");
  await save;
  await openForm();
  await expectContent(page, "Three times.");
  await page.unroute("**/discard.data");
  await discard();
  await expect(page).toHaveURL(`/post/${id}`);
  await openForm();
  await expectContent(page, "Once.");
});
