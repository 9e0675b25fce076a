import type { Locator, Page } from "@playwright/test";
import { sendMessage } from "#domain/messages/messages.server.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { expectToast } from "./support/toasts.ts";

const box = (page: Page) => page.getByLabel("Message", { exact: true });
const log = (page: Page) => page.getByRole("log");
const bubble = (page: Page, text: string): Locator => log(page).locator("div.group", { hasText: text });
const row = (page: Page, name: string) => page.getByRole("complementary").getByRole("link", { name });

test("a member is found by name and messaged by keyboard", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const [ada, bert] = [await newMember("Kira Keys"), await newMember("Ludo Lettertype")];
  await sendMessage(site, bert, { to: ada.id, text: "Have you seen https://example.org/ink?", sendId: "1" });
  await signInAs(ada);
  await page.goto("/messages");
  await waitForHydration(page);
  await page.getByRole("button", { name: "New message" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Find someone to write to")).toBeFocused();
  await page.keyboard.type("lettert");
  await expect(page.getByRole("region", { name: "Conversations" }).getByRole("link")).toHaveText([/Ludo Lettertype/]);
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ludo Lettertype");
  await expect(box(page)).toBeFocused();

  const link = log(page).getByRole("link", { name: "https://example.org/ink" });
  await expect(link).toHaveAttribute("href", "https://example.org/ink");
  await expect(link).toHaveAttribute("rel", /noopener/);

  await box(page).fill("שלום!");
  expect(await box(page).evaluate((input) => getComputedStyle(input).direction)).toBe("rtl");
  await box(page).fill("I have.");
  await page.keyboard.press("Enter");
  await expect(bubble(page, "I have.").getByText("Sent")).toBeAttached();
  await expect(box(page)).toBeFocused();

  // The focus returns after a search and after a closed dialog.
  const search = page.getByRole("button", { name: "Search messages" });
  await search.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByPlaceholder("Search in this chat")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(search).toBeFocused();
  const remove = page.getByRole("button", { name: "Delete chat" });
  await remove.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(remove).toBeFocused();

  // A message's button names its message.
  const about = page.getByRole("button", { name: "Message options: I have." });
  await about.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(about).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await expectToast(page, "Message deleted");
  await expect(bubble(page, "I have.")).toHaveCount(0);
});

test(
  "a chat that can't be loaded keeps list and composer, and loads on reconnection",
  inBrowserOnly,
  async ({ page, problems, site, newMember, signInAs }) => {
    problems.allowLostConnection();
    const [ada, bert] = [await newMember("Lola Lost"), await newMember("Milo Missing")];
    await sendMessage(site, bert, { to: ada.id, text: "Are you there?", sendId: "1" });
    await signInAs(ada);
    await page.goto("/messages");
    await waitForHydration(page);
    await page.route(/\.data/, (route) => route.abort());
    await row(page, "Milo Missing").click();
    await expect(page.getByText("We couldn’t load this conversation.")).toBeVisible();
    await expect(row(page, "Milo Missing")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Milo Missing");
    await box(page).fill("I am.");
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(page.getByText("We couldn’t load this conversation.")).toBeVisible();
    await page.unroute(/\.data/);
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(bubble(page, "Are you there?")).toBeVisible();
    await expect(box(page)).toHaveValue("I am.");
  },
);

test(
  "a message that fails three times is reported once, and sent in the end",
  inBrowserOnly,
  async ({ page, problems, newMember, signInAs }) => {
    problems.allowLostConnection();
    problems.allow(/500|WebSocket/);
    const [ada, bert] = [await newMember("Nele Never"), await newMember("Otis Often")];
    await signInAs(ada);
    await page.routeWebSocket(/\/live$/, (socket) => socket.close());
    await page.route(/\/send$/, (route) => route.fulfill({ status: 500, contentType: "text/html", body: "<h1>No</h1>" }));
    await page.goto(`/messages/${bert.id}`);
    await waitForHydration(page);
    await box(page).fill("Hello?");
    await box(page).press("Enter");
    await expectToast(page, "Failed to send message");
    await expect(page.getByRole("button", { name: "Discard", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.unroute(/\/send$/);
    await expect(bubble(page, "Hello?").getByText("Sent")).toBeAttached();
    await expect(page.getByRole("button", { name: "Discard", exact: true })).toHaveCount(0);
  },
);

test(
  "a message that the server is too busy for is sent without the sender's help",
  inBrowserOnly,
  async ({ page, problems, newMember, signInAs }) => {
    problems.allow(/429|503|WebSocket/);
    const [ada, bert] = [await newMember("Xenia Xpress"), await newMember("Yann Yonder")];
    await signInAs(ada);
    await page.routeWebSocket(/\/live$/, (socket) => socket.close());
    const bodies = ['{"message":"That was a lot at once."}', '{"message":"Unexpected Server Error"}'];
    await page.route(/\/send$/, (route) => {
      const body = bodies.shift();
      const status = bodies.length > 0 ? 429 : 503;
      return body ? route.fulfill({ status, contentType: "application/json", body }) : route.continue();
    });
    await page.goto(`/messages/${bert.id}`);
    await waitForHydration(page);
    await box(page).fill("No hurry");
    await box(page).press("Enter");
    await expect(bubble(page, "No hurry").getByText("Sent")).toBeAttached();
    expect(bodies).toEqual([]);
  },
);

test("a tab asks to log in when its session has ended", inBrowserOnly, async ({ page, problems, site, newMember, signInAs }) => {
  problems.allow(/401|WebSocket/);
  const ada = await newMember("Pia Past");
  await signInAs(ada);
  await page.goto("/messages");
  await waitForHydration(page);
  await site.db.deleteFrom("sessions").where("userId", "=", ada.id).execute();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByRole("heading", { name: "Please Log In" })).toBeVisible();
});

test(
  "a hidden chat goes on after its member has signed in again in another tab",
  inBrowserOnly,
  async ({ page, problems, site, newMember, signInAs }) => {
    problems.allow(/401|WebSocket/);
    const [ada, bert] = [await newMember("Hida Hidden"), await newMember("Bo Beside")];
    const setVisibility = (state: DocumentVisibilityState) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "visibilityState", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    const send = async (text: string) => {
      await box(page).fill(text);
      await box(page).press("Enter");
      await expect(bubble(page, text).getByText("Sent")).toBeAttached();
    };
    await signInAs(ada);
    await page.goto(`/messages/${bert.id}`);
    await waitForHydration(page);
    await send("Before");
    await setVisibility("hidden");
    await site.db.deleteFrom("sessions").where("userId", "=", ada.id).execute();
    // The server checks the session when it pings the tab.
    await expect(page.getByRole("heading", { name: "Please Log In" })).toBeVisible({ timeout: 60_000 });
    await signInAs(ada);
    await setVisibility("visible");
    await expect(page.getByRole("heading", { name: "Please Log In" })).toHaveCount(0);
    await send("After");
  },
);

test(
  "a message that waits is never sent from another person's account",
  inBrowserOnly,
  async ({ page, context, problems, site, newMember, signInAs }) => {
    problems.allowLostConnection();
    problems.allow(/401|500|WebSocket/);
    const [ada, bert, cleo] = [await newMember("Ute Until"), await newMember("Vito Visited"), await newMember("Wim Within")];
    await signInAs(ada);
    await page.routeWebSocket(/\/live$/, (socket) => socket.close());
    await page.route(/\/send$/, (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(`/messages/${bert.id}`);
    await waitForHydration(page);
    await box(page).fill("From Ute only");
    await box(page).press("Enter");
    await expect(bubble(page, "From Ute only")).toBeVisible();
    // Another tab of the same browser.
    await site.db.deleteFrom("sessions").where("userId", "=", ada.id).execute();
    await context.clearCookies();
    await signInAs(cleo);
    const answered = page.waitForResponse(/\/send$/);
    await page.unroute(/\/send$/);
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    expect((await answered).status()).toBe(401);
    await expect(page.getByRole("heading", { name: "Please Log In" })).toBeVisible();
    // Cleo's queue replaces it, whose events must not send it either.
    await page.getByRole("link", { name: "Home" }).first().click();
    await expect(page.getByText("Welcome back").first()).toContainText("Wim Within");
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await page.goto(`/messages/${bert.id}`);
    await expect(page.getByText("This is the beginning of your conversation with Vito Visited.")).toBeVisible();
    await expect(page.getByText("From Ute only")).toHaveCount(0);
    expect(await site.db.selectFrom("messages").select("id").where("receiverId", "=", bert.id).execute()).toEqual([]);
    await context.clearCookies();
    await signInAs(ada);
    await page.goto(`/messages/${bert.id}`);
    await expect(bubble(page, "From Ute only").getByText("Sent")).toBeAttached();
  },
);

test(
  "older messages that can't be loaded are named and tried again, and only arrivals are read out",
  inBrowserOnly,
  async ({ page, problems, site, newMember, signInAs, openBrowser }) => {
    problems.allowLostConnection();
    const [ada, bert] = [await newMember("Zoe Zigzag"), await newMember("Abel Archive")];
    for (let number = 1; number <= 110; number++)
      await sendMessage(site, bert, { to: ada.id, text: `message ${number}`, sendId: `${ada.id}-${number}` });
    await signInAs(ada);
    await page.route(/history\?before/, (route) => route.abort());
    await page.goto(`/messages/${bert.id}`);
    await waitForHydration(page);
    await page.locator("[data-scrolls]").evaluate((box) => box.scrollTo(0, -box.scrollHeight));
    await expect(page.getByText("We couldn’t load older messages.")).toBeVisible();
    await expectAccessible(page);
    await page.unroute(/history\?before/);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => log(page).locator("div.group").count()).toBeGreaterThan(100);
    await expect(page.getByText("We couldn’t load older messages.")).toHaveCount(0);

    const readOut = page.getByRole("region", { name: "Chat with Abel Archive" }).locator("[aria-live=polite]");
    await expect(log(page)).toHaveAttribute("aria-live", "off");
    await expect(readOut).toBeEmpty();
    const other = await openBrowser(bert);
    await other.goto("/");
    const form = { text: "Just now", sendId: "now" };
    const headers = { origin: new URL(other.url()).origin };
    expect((await other.request.post(`/messages/${ada.id}/send`, { form, headers })).status()).toBe(200);
    await expect(readOut).toHaveText("Abel Archive: Just now");
  },
);

test("the Enter that ends a composition in Safari sends nothing", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  const [ada, bert] = [await newMember("Kana Kanji"), await newMember("Bao Bopomofo")];
  await signInAs(ada);
  await page.goto(`/messages/${bert.id}`);
  await waitForHydration(page);
  await box(page).fill("かんじ");
  const end = { key: "Enter", keyCode: 229, bubbles: true, cancelable: true };
  await box(page).evaluate((field, init) => field.dispatchEvent(new KeyboardEvent("keydown", init)), end);
  await expect(box(page)).toHaveValue("かんじ");
  await box(page).press("Enter");
  await expect(bubble(page, "かんじ").getByText("Sent")).toBeAttached();
});

test("a slow conversation is selected at once", inBrowserOnly, async ({ page, site, newMember, signInAs }) => {
  const [ada, bert] = [await newMember("Quinn Quick"), await newMember("Sven Slow")];
  await sendMessage(site, bert, { to: ada.id, text: "Take your time", sendId: "1" });
  await signInAs(ada);
  await page.goto("/messages");
  await waitForHydration(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\.data/, async (route) => {
    await released;
    await route.continue();
  });
  await row(page, "Sven Slow").click();
  await expect(row(page, "Sven Slow")).toHaveAttribute("aria-current", "page");
  await expect(page.getByText("Opening the conversation…")).toBeAttached();
  await expect(page.getByText("Select a conversation")).toHaveCount(0);
  release();
  await expect(bubble(page, "Take your time")).toBeVisible();
});

test("a message pasted with thousands of blanks is sent, and so is the next", inBrowserOnly, async ({ page, newMember, signInAs }) => {
  const partner = await newMember("Brief Bo");
  await signInAs(await newMember("Lengthy Lis"));
  await page.goto(`/messages/${partner.id}`);
  await waitForHydration(page);
  for (const text of [`${" ".repeat(70_000)}A long way off.`, "Here."]) {
    await box(page).fill(text);
    await box(page).press("Enter");
    await expect(bubble(page, text.trim()).getByText("Sent")).toBeAttached();
  }
});
