import { saveSettings } from "#domain/settings/settings.server.ts";
import { expect, inBrowserOnly, test, waitForHydration } from "./support/fixtures.ts";
import { confirmPassword, setPassword } from "./support/staff.ts";

test(
  "after a conflict the form shows what others saved, and keeps what was typed, also when the connection is lost",
  inBrowserOnly,
  async ({ page, newMember, signInAs, site, problems }) => {
    problems.allow(/status of 409/);
    problems.allowLostConnection();
    const ruth = await newMember("Ruth Abernathy", { staff: "administrator" });
    const ada = { ...(await newMember("Ada", { staff: "administrator" })), isReauthenticated: true };
    await setPassword(site, ruth);
    await signInAs(ruth);
    await page.goto("/admin/verify?then=/admin/settings");
    await confirmPassword(page);
    await expect(page.getByRole("heading", { name: "Platform Settings" })).toBeVisible();
    await waitForHydration(page);
    await saveSettings(site, ada, { securityContact: "theirs@example.com", storagePerMember: 2048 });
    const save = page.getByRole("button", { name: "Save Changes" });
    await page.getByLabel("Security contact").fill("mine@example.com");
    await save.click();
    await expect(page.getByText("Ada changed this to “theirs@example.com”")).toBeVisible();
    await expect(page.getByLabel("Security contact")).toHaveValue("mine@example.com");
    await expect(page.getByLabel("Storage per member (MB)")).toHaveValue("2048");
    await expect(page.getByText("Unsaved changes")).toBeVisible();

    await page.context().setOffline(true);
    await save.click();
    await expect(page.getByText("Failed to save settings", { exact: true }).first()).toBeVisible();
    await expect(page.getByLabel("Security contact")).toHaveValue("mine@example.com");
    await page.context().setOffline(false);
    await save.click();
    await expect(page.getByText("Settings saved successfully")).toBeVisible();
    await site.reloadSettings();
    expect(site.settings).toMatchObject({ securityContact: "mine@example.com", storagePerMember: 2048 });
    await saveSettings(site, ada, { securityContact: "", storagePerMember: 1024 });
  },
);
