import { createPost } from "#domain/posts/posts.server.ts";
import type { Member, Site } from "#domain/site.ts";
import { picture } from "../support/pictures.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";

/** A word that is unique in this run. */
const uniqueWord = () =>
  `quo${Math.random()
    .toString(36)
    .replace(/[^a-z]/g, "")
    .slice(0, 9)}ka`;

async function publishPost(site: Site, author: Member, title: string): Promise<string> {
  const slug = title.toLowerCase().replaceAll(" ", "-").slice(0, 35);
  return (await createPost(site, author, { title, slug, content: "Hello.", status: "active" }, await picture())).id;
}

test("search shows stories while typing, and works by keyboard", async ({ page, site, newMember, signInAs, problems }) => {
  // The list behind shows other journeys' stories, some without their pictures.
  problems.allow(/status of 404.*\/files\//);
  const [author, word] = [await newMember("Sue Author"), uniqueWord()];
  const first = await publishPost(site, author, `First ${word}`);
  await publishPost(site, author, `Second ${word}`);
  await signInAs(await newMember("Sam Searches"));
  await page.goto("/all-posts");
  await waitForHydration(page);
  const field = page.getByRole("banner").getByRole("combobox", { name: "Search posts..." });
  await expect(field).toHaveAttribute("aria-expanded", "false");
  await field.pressSequentially(word.slice(0, 8));
  const list = page.getByRole("listbox", { name: "Stories" });
  await expect(list.getByRole("option")).toHaveText([new RegExp(`Second ${word}`), new RegExp(`First ${word}`)]);
  await expect(page.getByRole("status").filter({ hasText: "2 stories found" })).toHaveCount(1);
  await expect(list.locator("mark")).toHaveText([word, word]);
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await field.press("ArrowDown");
  await field.press("ArrowDown");
  await expect(list.getByRole("option").nth(1)).toHaveAttribute("aria-selected", "true");
  const active = await field.getAttribute("aria-activedescendant");
  expect(active).toBe(await list.getByRole("option").nth(1).getAttribute("id"));
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await field.press("Escape");
  await expect(list).toBeHidden();
  await expect(field).toHaveValue(word.slice(0, 8));
  await field.press("ArrowDown");
  await expect(list.getByRole("option").first()).toBeVisible();
  await field.press("ArrowUp");
  await field.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/post/${first}$`));
  await expect(list).toBeHidden();
});

test("on a phone the menu stays open while typing, until Enter", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const word = uniqueWord();
  await publishPost(site, await newMember("Paul Author"), `Only ${word}`);
  await signInAs(await newMember("Pia Phone"));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/");
  await waitForHydration(page);
  await page.getByRole("banner").getByRole("button", { name: "Search" }).click();
  const field = page.getByRole("dialog", { name: "Menu" }).getByRole("combobox", { name: "Search posts..." });
  for (const typed of [word.slice(0, 3), word.slice(3, 6), word.slice(6)]) {
    await field.pressSequentially(typed);
    const soFar = word.slice(0, word.indexOf(typed) + typed.length);
    await expect(page).toHaveURL(new RegExp(`[?&]q=${soFar}$`));
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(soFar);
  }
  await field.press("Enter");
  await expect(page.getByRole("dialog", { name: "Menu" })).toBeHidden();
  await expect(page.getByRole("heading", { name: `Only ${word}` })).toBeVisible();
});

test(
  "home filters while typing; Enter on another screen shows all results, with the term in address and field",
  inBrowserOnly,
  async ({ page, site, newMember, signInAs }) => {
    const word = uniqueWord();
    await publishPost(site, await newMember("Tom Author"), `Only ${word}`);
    await signInAs(await newMember("Eve Enter"));
    await page.goto("/");
    await waitForHydration(page);
    const field = page.getByRole("banner").getByRole("combobox");
    await field.fill(word);
    await expect(page).toHaveURL(new RegExp(`/\\?q=${word}$`));
    await expect(
      page
        .getByRole("main")
        .getByRole("link", { name: `Only ${word}` })
        .first(),
    ).toBeVisible();
    await field.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/\\?q=${word}$`));
    await page.getByRole("banner").getByRole("link", { name: "All Posts" }).click();
    await expect(page).toHaveURL(new RegExp(`/all-posts\\?q=${word}$`));
    await expect(field).toHaveValue(word);
    await page.getByRole("banner").getByRole("link", { name: "Home" }).click();
    await expect(page).toHaveURL(new RegExp(`/\\?q=${word}$`));

    await page.goto("/notices");
    await waitForHydration(page);
    await field.fill(word);
    await field.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/all-posts\\?q=${word}$`));
    await expect(page.getByRole("link", { name: `Only ${word}` }).first()).toBeVisible();
    await expect(field).toHaveValue(word);
  },
);

test(
  "outdated searches are canceled, and a search without a response shows an error",
  inBrowserOnly,
  async ({ page, newMember, signInAs, problems }) => {
    problems.allowLostConnection();
    await signInAs(await newMember("Ada Aborts"));
    await page.goto("/all-posts");
    await waitForHydration(page);
    const failures: string[] = [];
    page.on("requestfailed", (request) => request.url().includes("suggestions") && failures.push(request.failure()?.errorText ?? ""));
    let requests = 0;
    await page.route("**/search/suggestions**", (route) => {
      // The first request is never answered.
      if (++requests > 1) void route.abort();
    });
    const field = page.getByRole("banner").getByRole("combobox");
    const first = page.waitForRequest("**/search/suggestions**");
    await field.fill("some");
    await first;
    await field.fill("somewhere");
    await expect.poll(() => failures).toContain("net::ERR_ABORTED");
    await expect(page.getByText("Search failed. Press Enter to try again.").last()).toBeVisible();
  },
);

test(
  "a visitor's search opens the landing page's stories, and an empty one removes the term from the address",
  inBrowserOnly,
  async ({ page, site, newMember, baseURL }) => {
    const word = uniqueWord();
    const id = await publishPost(site, await newMember("Vic Author"), `Found ${word}`);
    await page.goto(`/post/${id}`);
    await waitForHydration(page);
    const field = page.getByRole("banner").getByRole("combobox", { name: "Search posts..." });
    await field.fill(word);
    await field.press("Enter");
    await expect(page).toHaveURL(`${baseURL}/?q=${word}#stories`);
    await expect(page.getByRole("link", { name: `Found ${word}` }).first()).toBeVisible();
    await field.fill("");
    await field.press("Enter");
    await expect(page).toHaveURL(`${baseURL}/#stories`);
  },
);
