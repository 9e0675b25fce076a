import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { unzipSync } from "fflate";
import { connectionLost } from "#app/shell/closed.ts";
import { createApiKeyFor } from "#domain/accounts/api-keys/api-keys.server.ts";
import { codeOf } from "../support/totp.ts";
import { expect, expectAccessible, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { confirmEmail, createAccount, newestLink, password, signInThroughScreen } from "./support/screens.ts";
import { expectToast } from "./support/toasts.ts";

/** A virtual authenticator in the browser that confirms everything. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const transport = "internal" as const;
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("a passkey is added with the password, signs in alone, and is removed", async ({ page, problems, site, server }) => {
  problems.allow(/status of 422/);
  await addAuthenticator(page);
  const email = await createAccount(site, page, "Pat Passkey", server.url);
  await confirmEmail(page, email);
  await page.goto("/account");
  await waitForHydration(page);
  await page.getByLabel("Name of the new passkey").fill("My laptop");
  const own = page.getByRole("region", { name: "Passkeys" });
  await own.getByLabel("Your password").fill("wrong password");
  await own.getByRole("button", { name: "Add a passkey" }).click();
  await expect(own.getByText("Incorrect password")).toBeVisible();
  await own.getByLabel("Your password").fill(password);
  await own.getByRole("button", { name: "Add a passkey" }).click();
  await expectToast(page, "The passkey has been added.");
  await expect(own.getByText("My laptop")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("button", { name: "Logout" })).toBeHidden();
  await page.goto("/login?then=/account");
  await waitForHydration(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expectToast(page, "Login successful!");
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole("main").getByText(email)).toBeVisible();
  await page.getByRole("button", { name: "Remove My laptop" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expectToast(page, "The passkey has been removed.");
});

test("a refused sign-up focuses its first invalid field and keeps what was typed", inBrowserOnly, async ({ page, problems, newMember }) => {
  problems.allow(/status of 409/);
  const { email: taken } = await newMember("Tea Taken");
  await page.goto("/signup");
  await waitForHydration(page);
  const name = page.getByLabel("Full Name");
  const email = page.getByRole("main").getByLabel("Email", { exact: true });
  const typedPassword = page.getByLabel("Password", { exact: true });
  const submit = page.getByRole("button", { name: "Create Account" });

  await email.fill("tea@nowhere");
  await email.blur();
  await expect(email).toHaveAccessibleDescription("Please enter a valid email address");
  await submit.click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription("Name is required");
  await expect(typedPassword).toHaveAccessibleDescription(/^Password is required At least 8 characters/);

  await name.fill("Tea Too");
  await expect(name).toHaveAccessibleDescription("");
  await email.fill(taken);
  await typedPassword.fill(password);
  await expect(page.getByText("Fair")).toBeVisible();
  await submit.click();
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription("An account with this email address already exists");
  for (const [field, typed] of [
    [name, "Tea Too"],
    [email, taken],
    [typedPassword, password],
  ] as const)
    await expect(field).toHaveValue(typed);
  await expectAccessible(page);
  await email.fill(`x${taken}`);
  await expect(email).toHaveAccessibleDescription("");
  await submit.click();
  await expectToast(page, "Welcome to");
});

test("an authenticator app is set up and required; a backup code works once", inBrowserOnly, async ({ page, problems, site, server }) => {
  problems.allow(/status of 422/);
  problems.allowLostConnection();
  const email = await createAccount(site, page, "Tom Totp", server.url);
  await confirmEmail(page, email);
  await page.goto("/account/authenticator");
  await waitForHydration(page);
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Get started" }).click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expectAccessible(page);
  const address = String(await page.getByRole("link", { name: "Open in an app on this device" }).getAttribute("href"));
  const [backup = ""] = await page.getByRole("list", { name: "Backup codes" }).getByRole("listitem").allInnerTexts();
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("That code didn’t work.").first()).toBeVisible();
  await page.route("**/account/authenticator.data*", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Turn on" }).click();
  await expectToast(page, connectionLost);
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Backup codes" })).toContainText(backup);
  await page.getByLabel("Code", { exact: true }).fill(codeOf(address, Date.now()));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expectToast(page, "Two-step verification is on.");
  for (const code of [() => codeOf(address, Date.now() + 30_000), () => backup]) {
    await page.getByRole("button", { name: "Logout" }).click();
    await expect(page.getByRole("button", { name: "Logout" })).toBeHidden();
    await page.goto("/login");
    await page.getByLabel("Email", { exact: true }).first().fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL(/\/login\/code/);
    await page.getByLabel("Code", { exact: true }).fill(code());
    await page.getByRole("button", { name: "Sign In" }).click();
    await expectToast(page, "Login successful!");
  }
});

test("a new API key stays readable when another key can’t be removed", inBrowserOnly, async ({ page, problems, site, server }) => {
  problems.allowLostConnection();
  const email = await createAccount(site, page, "Kofi Keys", server.url);
  await createApiKeyFor(site, email, { name: "Old script", scopes: ["read"], days: 30 });
  await page.goto("/account/keys");
  await waitForHydration(page);
  await page.getByLabel("Name", { exact: true }).fill("New script");
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = page.getByRole("status").filter({ hasText: "Copy your new key now" });
  await expect(secret).toContainText("ink_");
  await page.route("**/account/keys.data*", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Remove Old script" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("alertdialog", { name: "Remove this key?" })).toContainText(connectionLost);
  await page.keyboard.press("Escape");
  await expect(secret).toContainText("ink_");
});

test("the address changes through an email to the new one; a new password signs out other sessions", async ({
  page,
  browser,
  site,
  server,
}) => {
  const email = await createAccount(site, page, "Una Moves", server.url);
  await confirmEmail(page, email);
  const elsewhere = await browser.newContext({ extraHTTPHeaders: { "x-forwarded-for": "10.77.0.1" } });
  const other = await elsewhere.newPage();
  await signInThroughScreen(other, email);
  await page.goto("/account");
  await waitForHydration(page);
  await expect(page.getByRole("region", { name: "Devices" }).getByText("This device")).toBeVisible();
  const fresh = email.replace("@", ".new@");
  const form = page.getByRole("region", { name: "Email" });
  await form.getByLabel("New email").fill(fresh);
  await form.getByLabel("Your password").fill(password);
  await form.getByRole("button", { name: "Change email" }).click();
  await expectToast(page, `A link is on its way to ${fresh}.`);
  await page.goto(await newestLink(fresh, /https?:\S+\/account\/email\S+/));
  await page.getByRole("button", { name: "Use this address" }).click();
  await expectToast(page, "Your email address has been changed.");
  const change = page.getByRole("region", { name: "Password" });
  await change.getByLabel("Current password").fill(password);
  await change.getByLabel("New password").fill("a brighter Lamp 2");
  await change.getByRole("button", { name: "Change password" }).click();
  await expectToast(page, "Your password has been changed.");
  await other.goto("/account");
  await expect(other).toHaveURL(/\/login/);
  await elsewhere.close();
});

test("all data is downloaded with progress, and the account deleted", async ({ page, site, server }) => {
  await createAccount(site, page, "Lea Leaves", server.url);
  await page.goto("/account/export");
  await waitForHydration(page);
  await expectAccessible(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^inkstead-\d{4}-\d\d-\d\d\.zip$/);
  expect(Object.keys(unzipSync(readFileSync(await download.path())))).toContain("account.json");
  await expect(page.getByText(/Download complete/)).toBeVisible();
  await page.goto("/account/delete");
  await waitForHydration(page);
  await expectAccessible(page);
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expectToast(page, "Your account has been deleted. Take care!");
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
});
