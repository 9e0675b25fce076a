import { expect, type Page } from "@playwright/test";
import { signUp as openAccount } from "#domain/accounts/accounts.server.ts";
import type { Site } from "#domain/site.ts";
import { uniqueEmail } from "./fixtures.ts";
import { emailsTo } from "./mail-server.ts";

export const password = "a lamp in the window";

/** Signs up through the screens. @returns the address, not confirmed yet. */
export async function signUp(page: Page, name: string, email = uniqueEmail(name)): Promise<string> {
  await page.goto("/signup");
  await page.getByLabel("Full name").fill(name);
  await page.getByLabel("Email", { exact: true }).first().fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page).not.toHaveURL(/\/signup/);
  return email;
}

/** An account with a password, created without the screens, and signed in. */
export async function createAccount(site: Site, page: Page, name: string, url: string): Promise<string> {
  const email = uniqueEmail(name);
  const { cookies } = await openAccount(site, { ip: email, userAgent: null }, { name, email, password });
  const [pair = ""] = cookies;
  const [cookie = "", value = ""] = (pair.split(";", 1)[0] ?? "").split("=", 2);
  await page.context().addCookies([{ name: cookie, value, url, httpOnly: true, sameSite: "Lax" }]);
  return email;
}

/** Opens the newest confirmation link. */
export async function confirmEmail(page: Page, email: string): Promise<void> {
  await page.goto(await newestLink(email, /https?:\S+\/verify-email\S+/));
}

/** The newest link of a kind that was mailed to the address; waits for the email. */
export async function newestLink(email: string, kind: RegExp): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(() => {
      link = emailsTo(email)
        .map(({ text }) => kind.exec(text)?.[0])
        .findLast(Boolean);
      return link;
    }, `a mail to ${email} with a link like ${kind}`)
    .toBeTruthy();
  return String(link);
}

export async function signInThroughScreen(page: Page, email: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email", { exact: true }).first().fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
}
