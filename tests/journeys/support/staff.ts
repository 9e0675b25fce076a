import type { Page } from "@playwright/test";
import type { Member, Site } from "#domain/site.ts";
import { newId } from "#platform/ids.ts";
import { password } from "../../support/people.ts";
import { expect } from "./fixtures.ts";

/** Sets the tests' common password, which staff pages require. */
export async function setPassword(site: Site, { id }: Member): Promise<void> {
  const hash = await (await site.auth.$context).password.hash(password);
  const date = new Date(site.now()).toISOString();
  await site.db
    .withTables<{ accounts: Record<string, unknown> }>()
    .insertInto("accounts")
    .values({
      id: newId(site.now()),
      userId: id,
      accountId: id,
      providerId: "credential",
      password: hash,
      createdAt: date,
      updatedAt: date,
    })
    .execute();
}

/** Confirms the password where a staff page or form requires it. */
export async function confirmPassword(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Confirm it’s you" })).toBeVisible();
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
}
