import type { Locator, Page } from "@playwright/test";
import { deleteMessage } from "#domain/messages/deleting.server.ts";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { expectToast } from "./support/toasts.ts";
import { onDisk } from "./support/uploads.ts";

const box = (page: Page) => page.getByLabel("Message", { exact: true });
const log = (page: Page) => page.getByRole("log");
const bubble = (page: Page, text: string): Locator => log(page).locator("div.group", { hasText: text });
/** The mark of a saved message; whether it has been read by then depends on timing. */
const arrived = /^(Sent|Read)$/;
const row = (page: Page, name: string) => page.getByRole("complementary").getByRole("link", { name });

async function sendText(page: Page, text: string) {
  await box(page).fill(text);
  await box(page).press("Enter");
}

async function deleteBubble(page: Page, text: string) {
  await bubble(page, text).hover();
  await bubble(page, text).getByRole("button", { name: "Message options" }).click();
  await page.getByRole("menuitem", { name: "Delete message" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("Message deleted", { exact: true })).toBeVisible();
}

test("two people exchange messages and see each change live", async ({ page, newMember, signInAs, openBrowser }) => {
  const [ada, bert] = [await newMember("Ada Anders"), await newMember("Bert Berger")];
  await signInAs(ada);
  const other = await openBrowser(bert);
  await other.goto("/");
  await waitForHydration(other);

  // Ada opens Bert's profile; they have no conversation yet.
  await page.goto(`/profile/${bert.id}`);
  await page.getByRole("link", { name: "Message", exact: true }).click();
  await expect(page.getByText("This is the beginning of your conversation with Bert Berger.")).toBeVisible();
  await waitForHydration(page);
  await box(page).fill("first line");
  await box(page).press("Shift+Enter");
  await box(page).pressSequentially("second line");
  await box(page).press("Enter");
  await expect(bubble(page, "second line").getByText("Sent")).toBeAttached();
  await expect(row(page, "Bert Berger")).toContainText("first line second line");

  // Bert is on another page: the header's badge counts, the list shows it, and opening the chat marks it as read.
  await expect(other.getByRole("link", { name: "Messages 1 unread message" })).toBeVisible();
  await other.getByRole("link", { name: "Messages 1 unread message" }).click();
  await expect(other.getByText("Select a conversation")).toBeVisible();
  await expect(row(other, "Ada Anders")).toContainText("1");
  await expectAccessible(other);
  await row(other, "Ada Anders").click();
  await expect(bubble(other, "second line")).toBeVisible();
  await expect(bubble(page, "second line").getByText("Read")).toBeAttached();
  await expect(other.getByRole("link", { name: /^Messages/ }).first()).toHaveAccessibleName("Messages");

  // Both have the chat open: typing, presence, and messages arrive at once.
  await expect(page.getByText("Online", { exact: true })).toBeVisible();
  await waitForHydration(other);
  await box(other).pressSequentially("Yes");
  await expect(page.getByText("typing…")).toBeVisible();
  await box(other).press("Enter");
  await expect(bubble(page, "Yes")).toBeVisible();
  await expect(bubble(other, "Yes").getByText("Read")).toBeAttached();
  await expectAccessible(page);

  // The other side sees a deletion at once.
  await deleteBubble(other, "second line");
  await expect(bubble(page, "second line")).toHaveCount(0);

  // Deleting the chat removes it from both lists.
  await page.getByRole("button", { name: "Delete chat" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete chat" }).click();
  await expectToast(page, "Chat deleted successfully");
  await expect(page).toHaveURL(/\/messages$/);
  await expect(bubble(other, "Yes")).toHaveCount(0);
  await expect(row(other, "Ada Anders")).toHaveCount(0);
});

test("messages sent offline wait, survive a reload, and arrive once and in order", async ({
  page,
  context,
  problems,
  newMember,
  signInAs,
  openBrowser,
}) => {
  problems.allowLostConnection();
  const [ada, bert] = [await newMember("Olga Offline"), await newMember("Paul Present")];
  await signInAs(ada);
  await page.goto(`/messages/${bert.id}`);
  const other = await openBrowser(bert);
  await other.goto(`/messages/${ada.id}`);
  for (const each of [page, other]) await waitForHydration(each);
  await context.setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  for (const text of ["one", "two", "three"]) await sendText(page, text);
  await expect(bubble(page, "two").getByText("Sending")).toBeAttached();
  await sendText(other, "meanwhile");
  await expect(bubble(other, "meanwhile").getByText(arrived)).toBeAttached();
  await context.setOffline(false);
  await page.reload();
  await expect(bubble(page, "three").getByText(arrived)).toBeAttached();
  const inOrder = (each: Page) => expect(log(each).locator("div.group")).toHaveText([/meanwhile/, /one/, /two/, /three/]);
  await inOrder(page);
  await inOrder(other);
});

test(
  "a file is sent with progress, shown to the other, downloaded under its name, and refused if too large",
  inBrowserOnly,
  async ({ page, problems, newMember, signInAs, openBrowser }) => {
    problems.allow(/422|404/);
    const [ada, bert] = [await newMember("Fiona Files"), await newMember("Gerd Gets")];
    await signInAs(ada);
    await page.goto(`/messages/${bert.id}`);
    const other = await openBrowser(bert);
    await other.goto(`/messages/${ada.id}`);
    for (const each of [page, other]) await waitForHydration(each);
    const choose = (name: string, bytes: Buffer) => page.locator("input[type=file]").setInputFiles(onDisk({ name, bytes }));

    await choose("notes.txt", Buffer.from("Bread, salt, ink."));
    await expectToast(page, "File sent successfully");
    await expect(bubble(other, "notes.txt")).toBeVisible();
    await expect(row(other, "Fiona Files")).toContainText("notes.txt");
    const download = other.waitForEvent("download");
    await other.getByRole("link", { name: "Download notes.txt" }).click();
    expect((await download).suggestedFilename()).toBe("notes.txt");
    await expectToast(other, "Downloaded notes.txt");

    const leavesTextToBrowser = await box(page).evaluate((field) => {
      const clipboardData = new DataTransfer();
      for (const type of ["text/html", "text/plain"]) clipboardData.setData(type, "Hello");
      clipboardData.items.add(new File(["a picture of the text"], "image.png", { type: "image/png" }));
      return field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    expect(leavesTextToBrowser).toBe(true);

    await choose("large.txt", Buffer.alloc(10 * 1024 * 1024 + 1, "a"));
    await expectToast(page, "File size must be less than 10MB");
    await choose("page.html", Buffer.from("<script>alert(1)</script>"));
    await expect(page.getByText("You can’t send this type of file").first()).toBeVisible();
    await page.getByRole("button", { name: "Remove" }).click();
    await expect(bubble(page, "page.html")).toHaveCount(0);
  },
);

test("older messages load without moving the view, search finds them, and the theme is kept", async ({
  page,
  site,
  newMember,
  signInAs,
}) => {
  const [ada, bert] = [await newMember("Hilda History"), await newMember("Ivan Inkwell")];
  for (let number = 1; number <= 230; number++) {
    const [from, to] = number % 2 ? [ada, bert] : [bert, ada];
    await sendMessage({ ...site, now: () => Date.now() + number * 120_000 - 30_000_000 }, from, {
      to: to.id,
      text: `message ${number}`,
      sendId: `${ada.id}-${number}`,
    });
  }
  await signInAs(ada);
  await page.goto(`/messages/${bert.id}`);
  await waitForHydration(page);
  await expect(bubble(page, "message 230")).toBeInViewport();
  await expect(log(page).locator("div.group")).toHaveCount(100);
  const first = bubble(page, "message 131");
  const top = async () => (await first.boundingBox())?.y ?? Number.NaN;
  await page.locator("[data-scrolls]").evaluate((box) => box.scrollTo(0, -box.scrollHeight));
  await expect(first).toBeInViewport();
  const before = await top();
  await expect.poll(() => log(page).locator("div.group").count()).toBe(200);
  // The line about older messages may appear and disappear.
  expect(Math.abs((await top()) - before)).toBeLessThan(60);

  await page.reload();
  await waitForHydration(page);
  await page.getByRole("button", { name: "Search messages" }).click();
  await page.getByPlaceholder("Search in this chat").fill("MESSAGE 1");
  await expect(page.getByText("69 found")).toBeVisible(); // 131 to 199.
  await page.getByRole("button", { name: "Search older messages" }).click();
  await expect.poll(async () => Number((await page.getByText(/\d+ found/).textContent())?.split(" ")[0])).toBeGreaterThan(69);
  // "message 12" sent at 1:00 PM reads as "message 121": only these numbers are unique.
  await deleteBubble(page, "message 120");
  await expect(bubble(page, "message 120")).toHaveCount(0);
  await expect(bubble(page, "message 130")).toHaveCount(1);
  const byPartner = site.db.selectFrom("messages").select("id").where("senderId", "=", bert.id).where("message", "=", "message 130");
  await deleteMessage(site, bert, (await byPartner.executeTakeFirstOrThrow()).id);
  await expect(bubble(page, "message 130")).toHaveCount(0);
  await page.getByRole("button", { name: "Close search" }).click();

  await page.getByRole("button", { name: "Chat theme" }).click();
  await page.getByRole("menuitemradio", { name: "Blue" }).click();
  await expectToast(page, "Theme changed to Blue");
  await page.reload();
  await expect(page.locator("section[data-chat-theme=blue]")).toBeVisible();
});

test(
  "a message typed after the session ended is sent once the member has signed in",
  inBrowserOnly,
  async ({ page, problems, site, newMember, signInAs }) => {
    problems.allow(/401|WebSocket/);
    const [ada, bert] = [await newMember("Sina Session"), await newMember("Theo There")];
    await signInAs(ada);
    await page.goto(`/messages/${bert.id}`);
    await waitForHydration(page);
    await sendText(page, "Hello");
    await expect(bubble(page, "Hello").getByText("Sent")).toBeAttached();
    await site.db.deleteFrom("sessions").where("userId", "=", ada.id).execute();
    await sendText(page, "Are you there?");
    await expect(page.getByRole("heading", { name: "Please Log In" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Log In", exact: true })).toHaveAttribute(
      "href",
      `/login?then=${encodeURIComponent(`/messages/${bert.id}`)}`,
    );
    await signInAs(ada);
    await page.goto(`/messages/${bert.id}`);
    await expect(bubble(page, "Are you there?").getByText("Sent")).toBeAttached();
  },
);

test("a message is reported with its text", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const [ada, bert] = [await newMember("Rita Reports"), await newMember("Bully Berger")];
  await sendMessage(site, bert, { to: ada.id, text: "You had better stop writing.", sendId: "1" });
  await signInAs(ada);
  await page.goto(`/messages/${bert.id}`);
  await waitForHydration(page);
  await bubble(page, "You had better").hover();
  await bubble(page, "You had better").getByRole("button", { name: "Message options" }).click();
  await page.getByRole("menuitem", { name: "Report message" }).click();
  await page.setViewportSize({ width: 320, height: 568 });
  for (const name of ["Cancel", "Send report"]) await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
  const [sheet, last] = [page.getByRole("dialog"), page.getByRole("button", { name: "Send report" })];
  const below = await last.evaluate((button) => document.elementFromPoint(160, button.getBoundingClientRect().bottom + 12)?.textContent);
  expect(below, "what shows below the buttons").toBe("CancelSend report");
  await expect(sheet).toBeInViewport({ ratio: 1 });
  await page.getByLabel("Harassment or bullying").check();
  await page.getByRole("button", { name: "Send report" }).click();
  await expectToast(page, "Thank you. We’ll review it.");
  const { excerpt } = await site.db.selectFrom("reports").select("excerpt").where("reporterId", "=", ada.id).executeTakeFirstOrThrow();
  expect(excerpt).toBe("You had better stop writing.");
});

test("a blocked member's message looks sent and never arrives", inBrowserOnly, async ({ page, newMember, signInAs, openBrowser }) => {
  const [ada, bert] = [await newMember("Berta Blocks"), await newMember("Kurt Kept")];
  await signInAs(ada);
  const other = await openBrowser(bert);
  await other.goto(`/messages/${ada.id}`);
  await waitForHydration(other);
  await sendText(other, "Hello");
  await expect(bubble(other, "Hello").getByText(arrived)).toBeAttached();
  await page.goto(`/messages/${bert.id}`);
  await waitForHydration(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Block" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Block" }).click();
  await expect(page.getByText("You’ve blocked this person.")).toBeVisible();
  await sendText(other, "Hello again");
  await expect(bubble(other, "Hello again").getByText("Sent")).toBeAttached();
  await page.getByRole("button", { name: "Unblock" }).click();
  await expect(box(page)).toBeVisible();
  await sendText(other, "Are you there?");
  await expect(bubble(page, "Are you there?")).toBeVisible();
  await expect(bubble(page, "Hello again")).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("messages are read and sent", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
    const [ada, bert] = [await newMember("Nora Noscript"), await newMember("Otto Old")];
    await sendMessage(site, bert, { to: ada.id, text: "Does it work?", sendId: "1" });
    await signInAs(ada);
    await page.goto("/messages");
    await row(page, "Otto Old").click();
    await expect(bubble(page, "Does it work?")).toBeVisible();
    await expect(page.getByRole("region", { name: "Chat with Otto Old" }).locator("button:enabled")).toHaveAccessibleName("Send");
    await box(page).fill("It does.");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(bubble(page, "It does.").getByText("Sent")).toBeAttached();
  });
});
