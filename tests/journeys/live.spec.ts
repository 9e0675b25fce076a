import { createPost, deletePost } from "#domain/posts/posts.server.ts";
import { setPostStatus } from "#domain/posts/update-post.server.ts";
import { setLike } from "#domain/reactions/reactions.server.ts";
import { picture } from "../support/pictures.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { fillPost, publish, uniqueTitle } from "./support/post-form.ts";
import { expectToast } from "./support/toasts.ts";

const button = /^\d+ new stor(y|ies)$/;

test("a new story is announced on open lists and shown on request", async ({ page, newMember, signInAs, openBrowser }) => {
  await signInAs(await newMember("Wanda Writer"));
  const reader = await openBrowser(await newMember("Rolf Reader"));
  await reader.goto("/");
  const posts = await openBrowser(await newMember("Lina Lists"));
  await posts.goto("/all-posts");
  for (const screen of [reader, posts]) await waitForHydration(screen);

  const title = uniqueTitle("While You Read");
  await page.goto("/add-post");
  await waitForHydration(page);
  await fillPost(page, { title, content: "Hello." });
  await publish(page).click();
  await expectToast(page, "Post published successfully!");

  for (const screen of [reader, posts]) {
    await expect(screen.getByRole("button", { name: button })).toBeVisible();
    await expect(screen.getByRole("link", { name: title })).toHaveCount(0);
    await expectAccessible(screen);
    await screen.getByRole("button", { name: button }).click();
    await expect(screen.getByRole("link", { name: title }).first()).toBeVisible();
  }
});

test("a tab has one connection, under the content security policy", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  await signInAs(await newMember("Conny Connects"));
  const opened: string[] = [];
  page.on("websocket", (socket) => opened.push(new URL(socket.url()).pathname));
  await page.goto("/");
  await expect.poll(() => opened).toEqual(["/live"]);
  await page.getByRole("link", { name: "Explore More" }).click();
  await expect(page.getByRole("heading", { name: "All Stories", level: 1 })).toBeVisible();
  await waitForHydration(page);
  expect(opened).toEqual(["/live"]);
});

test("an open story shows others' likes and changes live", async ({ page, site, newMember, signInAs, openBrowser }) => {
  const author = await newMember("Sofia Story");
  const title = uniqueTitle("Liked");
  const slug = title.toLowerCase().replaceAll(" ", "-");
  const path = `/post/${(await createPost(site, author, { title, slug, content: "Hello.", status: "active" }, await picture())).id}`;
  await signInAs(author);
  await page.goto(path);
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await waitForHydration(page);
  const reader = await openBrowser();
  await reader.goto(path);
  await waitForHydration(reader);
  await setLike(site, await newMember("Lara Likes"), slug, true);
  await expect(reader.getByRole("button", { name: "1 Like" }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "1 Like" }).first()).toBeVisible();
});

test("a reader leaves a story that is unpublished before the page subscribes", async ({ page, site, newMember, signInAs }) => {
  const author = await newMember("Greta Gone");
  const title = uniqueTitle("Hid");
  const slug = title.toLowerCase().replaceAll(" ", "-");
  const { id } = await createPost(site, author, { title, slug, content: "Hello.", status: "active" }, await picture());
  await signInAs(await newMember("Rosa Reads"));
  const { promise: unpublished, resolve: connect } = Promise.withResolvers<void>();
  await page.routeWebSocket("/live", async (socket) => {
    await unpublished;
    socket.connectToServer();
  });
  await page.goto(`/post/${id}`);
  await waitForHydration(page);
  await setPostStatus(site, author, id, "inactive");
  connect();
  await expect(page).toHaveURL("/");
});

test("readers leave a story that is unpublished or deleted; the person deleting it keeps the message", async ({
  page,
  site,
  newMember,
  signInAs,
  openBrowser,
}) => {
  const author = await newMember("Gina Gone");
  const write = async (title: string) => {
    const slug = title.toLowerCase().replaceAll(" ", "-");
    return (await createPost(site, author, { title, slug, content: "Hello.", status: "active" }, await picture())).id;
  };
  const [unpublished, deleted, own] = [await write(uniqueTitle("Hid")), await write(uniqueTitle("Del")), await write(uniqueTitle("Own"))];
  const reader = await openBrowser(await newMember("Rita Reads"));
  for (const [id, remove] of [
    [unpublished, () => setPostStatus(site, author, unpublished, "inactive")],
    [deleted, () => deletePost(site, author, deleted)],
  ] as const) {
    await reader.goto(`/post/${id}`);
    await waitForHydration(reader);
    await remove();
    await expect(reader).toHaveURL("/");
  }
  await signInAs(author);
  for (const screen of [page, reader]) {
    await screen.goto(`/post/${own}`);
    await waitForHydration(screen);
  }
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expectToast(page, "Post deleted successfully");
  for (const screen of [page, reader]) await expect(screen).toHaveURL("/");
});
