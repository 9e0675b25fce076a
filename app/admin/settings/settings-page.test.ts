import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { saveSettings } from "#domain/settings/settings.server.ts";
import type { Web } from "#server/http.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../../tests/support/world.ts";
import { settingsFormValues } from "./settings-form.ts";

let world: World;
let web: Hono<Web>;
let cookie: string;
beforeEach(async () => {
  world = await openWorld();
  web = openWeb(world);
  ({ cookie } = await signIn(world, world.ruth, { reauthenticated: true }));
});
afterEach(() => world.close());

/** The page's form with changed fields; false turns a switch off. */
function formOf(changed: Record<string, string | boolean>): Record<string, string> {
  const shown = settingsFormValues(world.site.settings, false);
  const fields = Object.entries({ ...shown, ...changed }).filter(([, value]) => value !== false);
  return {
    shown: JSON.stringify(shown),
    ...Object.fromEntries(fields.map(([name, value]) => [name, value === true ? "on" : String(value)])),
  };
}

const shownIn = (page: string) => /name="shown" value="([^"]*)"/.exec(page)?.[1]?.replaceAll("&quot;", '"') ?? "";
const post = (fields: Record<string, string>) => web.request("/admin/settings", formPost(fields, { cookie }));

describe("the settings page", () => {
  test("shows the current settings", async () => {
    await saveSettings(world.site, world.ruth, { siteDescription: "Stories after midnight", maxPostsPerUser: 7 });
    const page = await (await web.request("/admin/settings", { headers: { cookie } })).text();
    expect(page).toContain("Stories after midnight</textarea>");
    expect(page).toMatch(/name="maxPostsPerUser"[^>]*value="7"|value="7"[^>]*name="maxPostsPerUser"/);
    expect(page).toContain("jpg,jpeg,png,gif,pdf,doc,docx");
    expect(page).toContain("Landing figures");
  });

  test("saves changes and confirms them", async () => {
    const answer = await post(formOf({ siteName: "Night Bus", enableLikes: false, maxFileSize: "7", allowedFileTypes: "png, pdf" }));
    expect(answer.headers.get("location")).toBe("/admin/settings");
    expect(decodeURIComponent(answer.headers.getSetCookie().join())).toContain("Settings saved successfully");
    expect(world.site.settings).toMatchObject({
      siteName: "Night Bus",
      enableLikes: false,
      maxFileSize: 7,
      allowedFileTypes: ["png", "pdf"],
    });
  });

  test("shows errors at their fields and keeps what was typed", async () => {
    const answer = await post(formOf({ siteName: "", maxPostsPerUser: "many", siteDescription: "Stories after midnight" }));
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain("Site name is required");
    expect(page).toContain("Max posts per user must be a whole number from 1 to 1,000,000");
    expect(page).toContain("Stories after midnight</textarea>");
    expect(world.site.settings.siteDescription).toBe("A platform for writers and readers");
  });

  test("saving from an old page keeps changes that someone else saved", async () => {
    const fields = formOf({ siteName: "Night Bus" });
    await saveSettings(world.site, world.ruth, { enableLikes: false, maxPostsPerUser: 7 });
    await post(fields);
    expect(world.site.settings).toMatchObject({ siteName: "Night Bus", enableLikes: false, maxPostsPerUser: 7 });
  });

  test("a second administrator on the same field sees who changed it, keeps their text and can overwrite it", async () => {
    const fields = formOf({ siteName: "Night Bus", enableLikes: false, maxPostsPerUser: "9" });
    await saveSettings(world.site, world.ruth, { siteName: "Day Bus", enableLikes: false });
    const answer = await post(fields);
    const page = await answer.text();
    expect(answer.status).toBe(409);
    expect(page).toMatch(/Ruth Castellanos changed this to “Day Bus” on .* Save again to replace it with yours\./);
    expect(page).toMatch(/name="siteName"[^>]*value="Night Bus"|value="Night Bus"[^>]*name="siteName"/);
    expect(world.site.settings).toMatchObject({ siteName: "Day Bus", maxPostsPerUser: 100 });
    const shown = shownIn(page);
    expect((await post({ ...fields, shown })).status).toBe(302);
    expect(world.site.settings).toMatchObject({ siteName: "Night Bus", enableLikes: false, maxPostsPerUser: 9 });
  });

  test("what others saved stays when a form is sent again after an error or a conflict", async () => {
    const invalid = formOf({ siteName: "Night Bus", maxPostsPerUser: "none" });
    await saveSettings(world.site, world.ruth, { maxFileSize: 7 });
    const corrected = { ...invalid, maxPostsPerUser: "9", shown: shownIn(await (await post(invalid)).text()) };
    expect((await post(corrected)).status).toBe(302);
    expect(world.site.settings).toMatchObject({ siteName: "Night Bus", maxFileSize: 7, maxPostsPerUser: 9 });

    const fields = formOf({ siteName: "Tram" });
    await saveSettings(world.site, world.ruth, { siteName: "Day Bus", siteDescription: "By day" });
    const page = await (await post(fields)).text();
    expect(page).toContain("By day</textarea>");
    expect(page).toMatch(/name="siteName"[^>]*value="Tram"|value="Tram"[^>]*name="siteName"/);
  });
});
