import { addPost } from "../support/posts.ts";
import { expect, inBrowserOnly, test } from "./support/fixtures.ts";

const uniqueId = () => `v${Math.random().toString(36).slice(2, 10)}`;

test("a story that stays open for a moment counts one view", async ({ page, site, newMember }) => {
  const id = await addPost({ site }, await newMember("Gil Author"), { id: uniqueId() });
  const views = async () => (await site.db.selectFrom("posts").select("views").where("id", "=", id).executeTakeFirstOrThrow()).views;
  const counted = () => page.waitForResponse(`**/post/${id}/view`);
  await Promise.all([counted(), page.goto(`/post/${id}`)]);
  await expect.poll(views).toBe(1);
  await page.evaluate(() => localStorage.clear());
  await Promise.all([counted(), page.reload()]);
  expect(await views()).toBe(1);
});

test("a view is sent after 1.5 seconds, and once per reader in 30 minutes", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const id = await addPost({ site }, await newMember("Gus Author"), { id: uniqueId() });
  const reader = await newMember("Ria Reader");
  let requests = 0;
  page.on("request", (request) => request.url().endsWith(`/post/${id}/view`) && requests++);
  const open = async () => {
    await page.goto(`/post/${id}`);
    // Idle callbacks stand still as well; the field appears after the effects.
    await expect(page.getByRole("combobox").first()).toBeVisible();
  };
  const waitForRecord = (viewer: string) => page.waitForFunction((key) => localStorage.getItem(key), `inkstead:viewed:${id}:${viewer}`);
  const start = Date.now();
  await page.clock.install({ time: start - 1000 });
  await page.clock.pauseAt(start);

  await open();
  await page.clock.runFor(1_400);
  expect(requests).toBe(0);
  await page.clock.runFor(200);
  await waitForRecord("anonymous");
  expect(requests).toBe(1);

  await page.clock.pauseAt(start + 29 * 60_000);
  await open();
  await page.clock.runFor(3_000);
  expect(requests).toBe(1);
  await signInAs(reader);
  await open();
  await page.clock.runFor(1_600);
  await waitForRecord(reader.id);
  expect(requests).toBe(2);

  await page.clock.pauseAt(start + 61 * 60_000);
  await open();
  await page.clock.runFor(1_600);
  await expect.poll(() => requests).toBe(3);
});
