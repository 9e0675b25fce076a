import { noise } from "../support/pictures.ts";
import { expect, test } from "./support/fixtures.ts";
import { fillPost, publish, uniqueTitle } from "./support/post-form.ts";

test.use({ javaScriptEnabled: false });

const content = "Something that took an hour to write.";

test.beforeEach(async ({ page, newMember, signInAs, problems }) => {
  problems.allow(/status of (409|422)/); // The response to an invalid form.
  await signInAs(await newMember("Plain Writer"));
  await page.goto("/add-post");
});

test("without JavaScript, every missing field is named and all input stays", async ({ page }) => {
  await fillPost(page, { content, picture: null });
  await publish(page).click();
  await expect(page.getByText("Title is required", { exact: true })).toBeVisible();
  await expect(page.getByText("Slug is required", { exact: true })).toBeVisible();
  await expect(page.getByText("Featured image is required", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Content")).toHaveValue(content);
});

test("without JavaScript, the response proposes a missing slug", async ({ page }) => {
  await fillPost(page, { title: "Über den Fluss", content, picture: null });
  await publish(page).click();
  await expect(page.getByText("Slug is required", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Slug")).toHaveValue("uber-den-fluss");
  await expect(page.getByLabel("Title")).toHaveValue("Über den Fluss");
});

test("without JavaScript, a picture of 11 MB is refused and all input stays", async ({ page }) => {
  const title = uniqueTitle("Heavy");
  await fillPost(page, { title, slug: "heavy", content, picture: await noise(11) });
  await publish(page).click();
  await expect(page.getByText("Failed to create post: Image size should be less than 10MB")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await expect(page.getByLabel("Content")).toHaveValue(content);
});

test("without JavaScript, a text renamed to .png is refused", async ({ page }) => {
  await fillPost(page, { title: "Fake", slug: "fake", content, picture: { name: "notes.png", bytes: Buffer.from("notes") } });
  await publish(page).click();
  await expect(page.getByText("Failed to create post: Please select a valid image file")).toBeVisible();
  await expect(page.getByLabel("Content")).toHaveValue(content);
});
