import type { Locator, Page } from "@playwright/test";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { report } from "#domain/reports/reports.server.ts";
import { addPost } from "../../support/posts.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "../support/fixtures.ts";
import { waitForEditor } from "../support/post-form.ts";

const main = (page: Page) => page.getByRole("main");
const head = (page: Page) => page.getByRole("banner");

/** Records what the status regions of later documents say. */
async function recordStatus(page: Page): Promise<(which: RegExp) => string[]> {
  const said: string[] = [];
  await page.exposeFunction("say", (text: string) => void said.push(text));
  await page.addInitScript(() => {
    const texts = new WeakMap<Element, string>();
    const listen = () => {
      for (const region of document.querySelectorAll("[role=status]")) {
        const text = region.textContent.trim();
        if (text && text !== texts.get(region)) (window as unknown as { say(text: string): void }).say(text);
        texts.set(region, text);
      }
    };
    new MutationObserver(listen).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return (which) => said.filter((text) => which.test(text));
}

test("the main screens have these accessibility trees", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  test.slow();
  const [reader, writer] = [await newMember("Ana Aloud", { staff: "administrator" }), await newMember("Ben Braille")];
  const mark = `aloud${Math.random().toString(36).slice(2, 8)}`;
  const post = { id: mark, title: `The Lamp ${mark}`, plainText: "It burned all night." };
  await addPost({ site }, writer, post);
  await sendMessage(site, writer, { to: reader.id, text: "Good evening", sendId: mark });
  await report(site, writer, { kind: "profile", subjectId: reader.id, reason: "spam", note: "" });
  const open = async (address: string, part: Locator, tree: string) => {
    await page.goto(address);
    await waitForHydration(page);
    await expect(part).toMatchAriaSnapshot(tree);
  };

  await open(
    "/",
    head(page),
    `
    - banner:
      - link "Inkstead"
      - navigation "Main":
        - link "Home"
      - search:
        - combobox "Search posts..."
      - link "Login"
      - link "Signup"
    `,
  );
  await expect(main(page)).toMatchAriaSnapshot(`
    - main:
      - heading "Stories deserve a good home." [level=1]
      - link "Sign Up"
      - region "Inkstead in numbers":
        - term: Users
        - definition: 15,420
      - heading "From the front porch" [level=2]
      - navigation "Stories"
  `);

  await signInAs(reader);
  await open(
    "/",
    main(page),
    `
    - main:
      - heading "Welcome back, Ana Aloud" [level=1]
      - link "Refresh"
      - link "Messages"
      - link "New Story"
      - term:
        - link "Total Likes"
      - heading "Quick Actions" [level=2]
      - link "Explore All"
      - heading "Latest Stories" [level=2]
      - navigation "Latest stories"
    `,
  );
  await open(
    `/all-posts?q=${mark}`,
    main(page),
    `
    - main:
      - heading "All Stories" [level=1]
      - link "Refresh"
      - button "Filters"
      - term: Total Stories
      - article:
        - link "Ben Braille"
        - heading "The Lamp ${mark}" [level=2]:
          - link "The Lamp ${mark}"
    `,
  );
  await open(
    `/post/${mark}`,
    main(page),
    `
    - main:
      - link "Back"
      - button "Share"
      - button "Bookmark"
      - article:
        - heading "The Lamp ${mark}" [level=1]
        - button "0 Likes"
        - button "Bookmark"
        - link "Report"
        - region "About the Author"
    `,
  );
  await expect(main(page).getByRole("progressbar")).toHaveCount(0);
  await page.goto("/add-post");
  await waitForEditor(page);
  await expect(main(page)).toMatchAriaSnapshot(`
    - main:
      - heading "Create Post" [level=1]
      - button "Publish Post" [disabled]
      - textbox "Title"
      - textbox "Slug"
      - toolbar "Formatting":
        - button "Bold"
        - button "Italic"
      - textbox "Content"
      - complementary "Story settings":
        - group "Status":
          - radio "Published Visible to all" [checked]
          - radio "Draft Not published"
        - button "Featured image"
  `);
  await open(
    `/messages/${writer.id}`,
    main(page),
    `
    - main:
      - complementary "Conversations":
        - heading "Messages" [level=2]
        - button "New message"
        - search:
          - searchbox "Find someone to write to"
        - list:
          - listitem:
            - link /Ben Braille .* Good evening/
      - region "Chat with Ben Braille":
        - heading "Ben Braille" [level=1]
        - button "Search messages"
        - button "Chat theme"
        - button "Delete chat"
        - log "Messages":
          - 'button "Message options: Good evening"'
        - button "Attach a file"
        - textbox "Message"
        - button "Emoji"
        - button "Send" [disabled]
    `,
  );
  await open(
    "/admin/reports",
    main(page),
    `
    - main:
      - heading "Reports & Moderation" [level=1]
      - search "Reports":
        - combobox "Status"
      - link "Rules"
      - button "Refresh"
      - term: Total Reports
      - list:
        - listitem:
          - 'button /^Resolve: the report of/'
          - 'button /^Dismiss: the report of/'
          - 'link /^Decide: the report of/'
    `,
  );
});

test("an opened page is read out and gets the focus of the previous one", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const said = await recordStatus(page);
  const mark = `told${Math.random().toString(36).slice(2, 8)}`;
  await addPost({ site }, await newMember("Nell Narrated"), { id: mark, title: `The Lamp ${mark}` });
  await signInAs(await newMember("Lars Listens"));
  await page.goto("/all-posts");
  await waitForHydration(page);
  await page.getByRole("combobox", { name: "Search posts..." }).filter({ visible: true }).pressSequentially(mark);
  await expect(page).toHaveURL(new RegExp(`q=${mark}`));
  const post = main(page).getByRole("heading", { name: `The Lamp ${mark}` });
  await expect(post).toHaveCount(1);
  expect(said(/Inkstead$/)).toEqual([]);

  await post.getByRole("link").press("Enter");
  await expect.poll(() => said(/Inkstead$/)).toEqual([`The Lamp ${mark} · Inkstead`]);
  await expect(main(page)).toBeFocused();
  expect(said(/Loading article/).length).toBeLessThanOrEqual(1);

  const home = head(page).getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" });
  await home.press("Enter");
  await expect.poll(() => said(/Inkstead$/)).toEqual([`The Lamp ${mark} · Inkstead`, "Inkstead"]);
  await expect(home).toBeFocused();
});

test("saving is read out once and after a failure", inBrowserOnly, async ({ page, newMember, signInAs, problems }) => {
  problems.allowLostConnection();
  const said = await recordStatus(page);
  await signInAs(await newMember("Tess Types"));
  await page.goto("/add-post");
  await waitForEditor(page);
  const content = page.getByLabel("Content");
  const write = async (words: string) => {
    const saved = page.waitForResponse("**/drafts/save");
    await content.pressSequentially(words);
    await saved;
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  };
  for (const words of ["One. ", "Two. ", "Three. "]) await write(words);
  expect(said(/saved/i)).toEqual(["Your text is saved."]);

  await page.route("**/drafts/save", (route) => route.abort());
  await content.pressSequentially("Four. ");
  await expect(page.getByText(/You’re offline or the site isn’t responding/)).toBeVisible();
  await page.unroute("**/drafts/save");
  await write("Five.");
  await expect.poll(() => said(/saved/i)).toEqual(["Your text is saved.", "Your text is saved."]);
});
