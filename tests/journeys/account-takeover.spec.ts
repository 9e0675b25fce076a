import type { Page } from "@playwright/test";
import { codeOf } from "../support/totp.ts";
import { expect, expectAccessible, inBrowserOnly, test, uniqueEmail, waitForHydration } from "./support/fixtures.ts";
import { emailsTo } from "./support/mail-server.ts";
import { confirmEmail, createAccount, newestLink, password, signInThroughScreen, signUp } from "./support/screens.ts";
import { expectToast } from "./support/toasts.ts";

const newPassword = "a door in the Hill 7";

/** Requests a password reset through the screens. @returns the link. */
async function requestReset(page: Page, email: string): Promise<string> {
  const links = () => emailsTo(email).filter(({ text }) => text.includes("/reset-password"));
  const before = links().length;
  await page.goto("/forgot-password");
  await page.getByLabel("Email", { exact: true }).first().fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
  await expect.poll(() => links().length).toBeGreaterThan(before);
  return newestLink(email, /https?:\S+\/reset-password\S+/);
}

async function choosePassword(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("New password", { exact: true }).fill(newPassword);
  await page.getByRole("button", { name: "Change password" }).click();
}

async function signInWith(page: Page, email: string, typed: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email", { exact: true }).first().fill(email);
  await page.getByLabel("Password", { exact: true }).fill(typed);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

async function expectSignedOut(page: Page): Promise<void> {
  await page.goto("/account");
  await expect(page).toHaveURL(/\/login/);
}

/** The account page has this address, one device and no passkey. */
async function expectOneDevice(page: Page, email: string): Promise<void> {
  await page.goto("/account");
  await expect(page.getByRole("region", { name: "Email" }).getByText(email)).toBeVisible();
  await expect(page.getByRole("region", { name: "Devices" }).getByRole("listitem")).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Passkeys" }).getByRole("listitem")).toHaveCount(0);
}

async function requestEmailChange(page: Page, email: string): Promise<string> {
  await page.goto("/account");
  await waitForHydration(page);
  const form = page.getByRole("region", { name: "Email" });
  await form.getByLabel("New email").fill(email);
  await form.getByLabel("Your password").fill(password);
  await form.getByRole("button", { name: "Change email" }).click();
  await expectToast(page, `A link is on its way to ${email}.`);
  return newestLink(email, /https?:\S+\/account\/email\S+/);
}

test("the owner recovers an account whose address a thief changed", async ({ page, openBrowser, problems, site, server }) => {
  problems.allow(/status of 422/);
  const email = await createAccount(site, page, "Olga Owner", server.url);
  await confirmEmail(page, email);
  const thief = await openBrowser();
  await signInThroughScreen(thief, email);

  // A recovery invalidates links requested before it.
  const link = await requestEmailChange(thief, uniqueEmail("Evil One"));
  await newestLink(email, /https?:\S+\/account\/not-me\S+/);
  await choosePassword(page, await requestReset(page, email));
  await expectToast(page, "Your password has been changed. Please sign in.");
  await thief.goto(link);
  await expect(thief.getByText("This link has expired or was already used.")).toBeVisible();
  await expectSignedOut(thief);

  // A used link can be undone from the old address.
  await signInWith(thief, email, newPassword);
  await expect(thief).not.toHaveURL(/\/login/);
  await thief.goto("/account");
  await waitForHydration(thief);
  const attackerEmail = uniqueEmail("Evil Two");
  const form = thief.getByRole("region", { name: "Email" });
  await form.getByLabel("New email").fill(attackerEmail);
  await form.getByLabel("Your password").fill(newPassword);
  await form.getByRole("button", { name: "Change email" }).click();
  await thief.goto(await newestLink(attackerEmail, /https?:\S+\/account\/email\S+/));
  await thief.getByRole("button", { name: "Use this address" }).click();
  await expectToast(thief, "Your email address has been changed.");
  await expect.poll(() => emailsTo(email).at(-1)?.subject).toContain("Your email was changed");
  await page.goto(await newestLink(email, /https?:\S+\/account\/not-me\S+/));
  await waitForHydration(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Secure my account" }).click();
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await page.getByLabel("New password", { exact: true }).fill("a lock on the Door 9");
  await page.getByRole("button", { name: "Change password" }).click();
  await expectToast(page, "Your password has been changed. Please sign in.");
  await expectSignedOut(thief);
  for (const address of [attackerEmail, email]) {
    await signInWith(thief, address, newPassword);
    await expect(thief.getByText("Invalid credentials.").first()).toBeVisible();
  }
  await signInWith(page, email, "a lock on the Door 9");
  await expect(page).not.toHaveURL(/\/login/);
  await expectOneDevice(page, email);
  await expect(page.getByRole("region", { name: "Security log" }).getByText("Email change undone")).toBeVisible();
  await expectAccessible(page);
});

test(
  "an account opened with another's address is empty once the owner claims it",
  inBrowserOnly,
  async ({ page, openBrowser, problems }) => {
    problems.allow(/status of 422/);
    const thief = await openBrowser();
    const email = await signUp(thief, "Paul Prehijack");
    await thief.goto("/account");
    await waitForHydration(thief);
    const passkeys = thief.getByRole("region", { name: "Passkeys" });
    await expect(passkeys.getByText("Passkeys need a confirmed email address")).toBeVisible();
    await expect(passkeys.getByRole("button", { name: "Add a passkey" })).toBeHidden();
    await expectAccessible(thief);
    await choosePassword(page, await requestReset(page, email));
    await expectToast(page, "Your password has been changed. Please sign in.");
    await expectSignedOut(thief);
    await signInWith(thief, email, password);
    await expect(thief.getByText("Invalid credentials.").first()).toBeVisible();
    await signInWith(page, email, newPassword);
    await expect(page).not.toHaveURL(/\/login/);
    await expectOneDevice(page, email);
  },
);

test("a recovery revokes trusted browsers and other links", inBrowserOnly, async ({ page, openBrowser, problems, site, server }) => {
  problems.allow(/status of 422/);
  const email = await createAccount(site, page, "Tessa Trusts", server.url);
  await confirmEmail(page, email);
  await page.goto("/account/authenticator");
  await waitForHydration(page);
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Get started" }).click();
  const address = String(await page.getByRole("link", { name: "Open in an app on this device" }).getAttribute("href"));
  const [first = "", second = ""] = await page.getByRole("list", { name: "Backup codes" }).getByRole("listitem").allInnerTexts();
  await page.getByLabel("Code", { exact: true }).fill(codeOf(address, Date.now()));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expectToast(page, "Two-step verification is on.");

  const thief = await openBrowser();
  await signInWith(thief, email, password);
  await thief.getByLabel("Code", { exact: true }).fill(first);
  await thief.getByLabel("Trust this browser for 30 days").check();
  await thief.getByRole("button", { name: "Sign In" }).click();
  await expect(thief).not.toHaveURL(/\/login/);
  const interceptedLink = await requestReset(thief, email);

  await choosePassword(page, await requestReset(page, email));
  await expect(page.getByRole("heading", { name: "Review how you sign in" })).toBeVisible();
  await waitForHydration(page);
  await expectAccessible(page);
  await page
    .getByRole("group", { name: /Authenticator app/ })
    .getByLabel("Keep")
    .check();
  await page.getByRole("button", { name: "Continue to sign in" }).click();
  await expectToast(page, "Your password has been changed. Please sign in.");

  await thief.goto(interceptedLink);
  await expect(thief.getByText("This link has expired or was already used.")).toBeVisible();
  await expectSignedOut(thief);
  await signInWith(thief, email, newPassword);
  await expect(thief.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await expectSignedOut(thief);
  await signInWith(page, email, newPassword);
  await page.getByLabel("Code", { exact: true }).fill(second);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).not.toHaveURL(/\/login/);
  await expectOneDevice(page, email);
});
