import type { Page } from "@playwright/test";
import { connectionLost } from "#app/shell/closed.ts";
import { changePage } from "#domain/pages/page-texts.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { addWebhook, deleteWebhook } from "#domain/webhooks/webhooks.server.ts";
import { picture } from "../support/pictures.ts";
import { expect, expectAccessible, expectText, holdResponse, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { confirmPassword, setPassword } from "./support/staff.ts";
import { expectToast } from "./support/toasts.ts";

/** A story's table row; narrow screens have a list instead. */
const rowOf = (page: Page, title: string) => page.getByRole("row", { name: new RegExp(title) });

test("an administrator manages stories: in a row, with dialogs, and in bulk", async ({ page, site, newMember, signInAs }) => {
  test.slow();
  const author = await newMember("Ines Carvalho");
  const administrator = await newMember("Ruth Abernathy", { staff: "administrator" });
  const titles = ["Lamps at Night", "Lamps at Noon", "Lamps at Dusk"].map((title) => `${title} ${Math.random().toString(36).slice(2, 7)}`);
  for (const title of titles) {
    const slug = title.toLowerCase().replaceAll(" ", "-");
    await createPost(site, author, { title, slug, content: "Light.", status: "active" }, await picture());
  }
  const [night = "", noon = "", dusk = ""] = titles;
  await signInAs(administrator);

  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: "Dashboard", level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("search", { name: "All posts" }).getByRole("searchbox").fill(night);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/admin\/posts\?q=/);
  await expect(rowOf(page, night)).toBeVisible();
  await waitForHydration(page);
  await expectAccessible(page);

  await rowOf(page, night).getByRole("button", { name: "Unpublish" }).click();
  await page.getByRole("dialog").getByLabel("Why?").fill("Too bright");
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Unpublish" }).click();
  await expectToast(page, "Post unpublished");
  await expect(rowOf(page, night).getByText("Draft")).toBeVisible();

  await rowOf(page, night)
    .getByRole("button", { name: /^More for/ })
    .click();
  await page.getByRole("menuitem", { name: "Adjust Likes" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("0");
  await dialog.getByRole("button", { name: "Adjust Likes" }).click();
  await expect(dialog.getByText("Adjustment cannot be zero")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("textbox").fill("25");
  await dialog.getByRole("button", { name: "Adjust Likes" }).click();
  await expectToast(page, "Likes adjusted: 0 → 25");
  await expect(rowOf(page, night).getByText("25 adjusted")).toBeVisible();

  await page.goto(`/admin/posts?q=${encodeURIComponent("Lamps at")}`);
  await waitForHydration(page);
  for (const title of [noon, dusk]) await rowOf(page, title).getByRole("checkbox").check();
  await expect(page.getByText("2 selected")).toBeVisible();
  await page.getByRole("button", { name: "Feature", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Feature" }).click();
  await expectToast(page, "2 posts featured");
  await expect(rowOf(page, noon).getByRole("img", { name: "Featured" })).toBeVisible();

  // Filters follow the address and keep the keyboard focus.
  const status = page.getByRole("combobox", { name: "Status" });
  await status.focus();
  await status.selectOption("held");
  await expect(page.getByText("No posts found")).toBeVisible();
  await expect(status).toBeFocused();
  await page.getByRole("link", { name: "Show all posts" }).click();
  await expect(page).toHaveURL(/\/admin\/posts$/);
  await expect(status).toHaveValue("");
  await expect(page.getByRole("main").getByRole("searchbox")).toHaveValue("");

  await page.getByRole("link", { name: "Audit Log" }).click();
  const adjusted = page.getByRole("listitem").filter({ hasText: "Adjusted likes" }).filter({ hasText: night });
  await expect(adjusted).toBeVisible();
  await expectAccessible(page);
  await adjusted.getByRole("button", { name: "Undo" }).click();
  await expect(adjusted.getByText("Undone")).toBeVisible();
  await page.goto(`/admin/posts?q=${encodeURIComponent(night)}`);
  await expect(rowOf(page, night)).toBeVisible();
  await expect(rowOf(page, night).getByText("adjusted")).toHaveCount(0);
});

test("a story is held with a reason and its author appeals, both without JavaScript", async ({
  browser,
  baseURL,
  site,
  newMember,
  openBrowser,
}) => {
  const author = await newMember("Ines Carvalho");
  const title = `A Lamp Too Many ${Math.random().toString(36).slice(2, 7)}`;
  const slug = title.toLowerCase().replaceAll(" ", "-");
  await createPost(site, author, { title, slug, content: "Light.", status: "active" }, await picture());
  const plain = async (person: Page) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await person.context().storageState(),
      baseURL: String(baseURL),
    });
    return context.newPage();
  };
  const writer = await openBrowser(author);
  const [ruth, ines] = [await plain(await openBrowser(await newMember("Ruth Abernathy", { staff: "administrator" }))), await plain(writer)];

  await ruth.goto(`/admin/posts?q=${encodeURIComponent(title)}`);
  await ruth
    .getByRole("link", { name: `More for ${title}` })
    .first()
    .click();
  await ruth.getByRole("button", { name: "Hold" }).click();
  await expect(ruth.getByText("Add a reason")).toBeVisible();
  await ruth.getByLabel("Why?").fill("Which lamp?");
  await ruth.getByRole("button", { name: "Hold" }).click();
  await expect(ruth.getByRole("button", { name: "Release and publish" })).toBeVisible();

  await writer.goto(`/post/${slug}`);
  await expect(writer.getByText("Which lamp?")).toBeVisible();
  await expectAccessible(writer);
  await ines.goto(`/post/${slug}`);
  await ines.getByRole("link", { name: "Read more and appeal" }).click();
  await ines.getByLabel("Your appeal").fill("The second one from the left.");
  await ines.getByRole("button", { name: "Send appeal" }).click();
  await expect(ines.getByText("Waiting", { exact: true })).toBeVisible();

  await ruth.goto("/admin/reports?status=pending");
  await ruth.getByRole("listitem").filter({ hasText: "The second one from the left." }).getByRole("link", { name: "Answer" }).click();
  await ruth.getByRole("radio", { name: /^Grant/ }).check();
  await ruth.getByLabel("Answer").fill("Thank you.");
  await ruth.getByRole("button", { name: "Submit decision" }).click();
  await expect(ruth).toHaveURL(/\/admin\/reports$/);
  await ines.reload();
  await expect(ines.getByText("Thank you.")).toBeVisible();
  await writer.goto("/notices");
  await expect(writer.getByText("Undone")).toBeVisible();
  await expectAccessible(writer);
  await Promise.all([ruth.context().close(), ines.context().close()]);
});

test(
  "a refused setting is scrolled to, and no toast covers Save Changes",
  inBrowserOnly,
  async ({ page, newMember, signInAs, site, problems }) => {
    problems.allow(/status of 422/);
    await signInAs(await newMember("Rhoda Refused", { staff: "administrator" }));
    await page.goto("/admin/settings");
    await waitForHydration(page);
    await page.getByText("Advanced Settings").click();
    await page.getByLabel("Max file size (MB)").fill("0");
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const save = page.getByRole("button", { name: "Save Changes" });
    await save.click();
    const toast = page.getByRole("alert").filter({ hasText: "Failed to save settings" });
    await expect(page.getByLabel("Max file size (MB)")).toBeFocused();
    await expect(page.getByLabel("Max file size (MB)")).toBeInViewport();
    const [over, button] = [await toast.boundingBox(), await save.boundingBox()];
    expect(over?.y).toBeGreaterThanOrEqual((button?.y ?? 0) + (button?.height ?? 0));
    expect(site.settings.maxFileSize).toBeGreaterThan(0);
  },
);

test("the text of a page isn't replaced or left unsaved without a question", inBrowserOnly, async ({ page, newMember, signInAs, site }) => {
  const ruth = await newMember("Ruth Abernathy", { staff: "administrator" });
  await changePage(site, ruth, "cookies", { title: "Cookies", lead: "Few.", text: "One." }, 0);
  await signInAs(ruth);
  await page.goto("/admin/settings/pages/cookies");
  await waitForHydration(page);
  const [text, question] = [page.getByLabel("Text"), page.getByRole("alertdialog", { name: "Leave without saving?" })];
  await text.fill("Two.");
  for (const name of ["Review the default text", "Pages"]) {
    await page.getByRole("main").getByRole("link", { name, exact: true }).click();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect(text).toHaveValue("Two.");
  }
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByRole("region", { name: "Preview" })).toContainText("Two.");
  await text.fill("One.");
  await page.getByRole("link", { name: "Review the default text" }).click();
  await expect(page.getByText("This is the default text.")).toBeVisible();
  await text.fill("Three.");
  await page.goBack();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(text).toHaveValue("One.");
});

test(
  "another administrator's save doesn't replace what is being typed",
  inBrowserOnly,
  async ({ page, newMember, signInAs, site, problems }) => {
    problems.allow(/status of 40[39]/);
    const [ruth, moses] = [
      await newMember("Ruth Abernathy", { staff: "administrator" }),
      await newMember("Moses Adeyemi", { staff: "administrator" }),
    ];
    await setPassword(site, ruth);
    await signInAs(ruth);
    await page.goto("/admin/settings/pages/events");
    await waitForHydration(page);
    const [text, version] = [page.getByLabel("Text"), page.locator("input[name=version]")];
    await text.fill("What Ruth types.");
    const theirs = { title: "Events", lead: "Soon.", text: "What Moses saved." };
    await changePage(site, moses, "events", theirs, Number(await version.inputValue()));
    await page.locator("summary[aria-label=Theme]").first().click();
    await page.getByRole("button", { name: "Dark" }).click();
    // One instead of two, for light and dark, once the data is reloaded.
    await expect(page.locator("meta[name=theme-color]")).toHaveCount(1);
    await page.getByRole("button", { name: "Save Changes" }).click();
    await confirmPassword(page);
    await expect(page.getByText("Someone else changed this page.")).toBeVisible();
    await expect(text).toHaveValue("What Ruth types.");
  },
);

test("only the confirmed button of a webhook is busy", inBrowserOnly, async ({ page, newMember, signInAs, site, problems }) => {
  problems.allow(/status of 403/);
  const ruth = await newMember("Ruth Abernathy", { staff: "administrator" });
  const { id } = await addWebhook(site, ruth, { address: "https://hooks.example.com/", events: ["post.published"] });
  await signInAs(ruth);
  await page.goto(`/admin/webhooks/${id}`);
  await waitForHydration(page);
  const remove = page.getByRole("button", { name: "Delete webhook" });
  const release = await holdResponse(page, `**/admin/webhooks/${id}.data*`);
  await page.getByRole("button", { name: "Create new secret" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Create new secret" }).click();
  await expect(page.getByRole("button", { name: "Create new secret" })).toHaveAttribute("aria-busy", "true");
  await expect(remove).not.toHaveAttribute("aria-busy");
  release();
  await expect(page.getByRole("heading", { name: "Confirm it’s you" })).toBeVisible();
  await deleteWebhook(site, ruth, id);
});

test(
  "a webhook’s new secret stays readable when the next request is lost",
  inBrowserOnly,
  async ({ page, newMember, signInAs, site, problems }) => {
    problems.allow(/status of 403/);
    problems.allowLostConnection();
    const ruth = await newMember("Ruth Abernathy", { staff: "administrator" });
    await setPassword(site, ruth);
    const { id } = await addWebhook(site, ruth, { address: "https://hooks.example.com/", events: ["post.published"] });
    await signInAs(ruth);
    await page.goto(`/admin/webhooks/${id}`);
    await waitForHydration(page);
    await page.getByRole("button", { name: "Create new secret" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Create new secret" }).click();
    await confirmPassword(page);
    const secret = page.getByRole("status").filter({ hasText: "Copy the signing secret now" });
    await expect(secret).toContainText("whsec_");
    await page.route(`**/admin/webhooks/${id}.data*`, (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "Turn off" }).click();
    await expect(page.getByText(connectionLost).first()).toBeVisible();
    await expect(secret).toContainText("whsec_");
    await deleteWebhook(site, ruth, id);
  },
);

test(
  "settings are saved without JavaScript, and only administrators see the admin area",
  inBrowserOnly,
  async ({ browser, baseURL, newMember, openBrowser, site }) => {
    const member = await openBrowser(await newMember("Kenji Watabe"));
    await member.goto("/admin/settings");
    await expect(member).toHaveURL(String(baseURL).replace(/\/?$/, "/"));

    const ruth = await newMember("Ruth Abernathy", { staff: "administrator" });
    await setPassword(site, ruth);
    const administrator = await openBrowser(ruth);
    await administrator.goto("/admin/settings");
    await expectAccessible(administrator);
    const plain = await browser.newContext({ javaScriptEnabled: false, storageState: await administrator.context().storageState() });
    const page = await plain.newPage();
    const description = `A platform for writers and readers ${Math.random().toString(36).slice(2, 7)}`;
    await page.goto(`${baseURL}/admin/settings`);
    await page.getByLabel("Site description").fill(description);
    await page.getByRole("button", { name: "Save Changes" }).click();
    await confirmPassword(page);
    await expect(page.getByLabel("Site description")).toHaveValue(description);
    await expectText(page, "Settings saved successfully");
    await expect.poll(() => site.settings.siteDescription).toBe(description);
    await plain.close();
  },
);
