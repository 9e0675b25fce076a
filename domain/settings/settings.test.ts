import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { until } from "../../tests/support/until.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { listAudit } from "../audit/audit.server.ts";
import { saveSettings } from "./settings.server.ts";
import { defaultSettings, maxFileBytes } from "./settings.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const history = async () => (await listAudit(world.site, world.ruth, { limit: 20, subject: "settings" })).entries;

describe("saving settings", () => {
  test("a new site has the specified defaults", () => {
    expect(world.site.settings).toEqual(defaultSettings);
    expect(maxFileBytes(defaultSettings)).toBe(5 * 1024 * 1024);
  });

  test("settings apply at once and are stored", async () => {
    await saveSettings(world.site, world.ruth, { siteName: "  Night   Bus ", enableLikes: false, allowedFileTypes: ".JPG, png,,png" });
    const saved = { ...defaultSettings, siteName: "Night Bus", enableLikes: false, allowedFileTypes: ["jpg", "png"] };
    expect(world.site.settings).toEqual(saved);
    const again = await openSite(readConfig({ ...world.environment, SECRET: randomUUID() }), createLog("silent"));
    expect(again.settings).toEqual(saved);
    await closeSite(again);
  });

  test("other processes get the settings", async () => {
    const other = await openSite(readConfig({ ...world.environment, SECRET: randomUUID() }), createLog("silent"));
    await saveSettings(world.site, world.ruth, { siteName: "Night Bus" });
    // SQLite notifies no other processes: a second one sees the change when it reloads.
    other.events.wake();
    if (world.site.engine === "sqlite") await other.reloadSettings();
    await until(() => expect(other.settings.siteName).toBe("Night Bus"));
    await closeSite(other);
  });

  test.each([
    ["a site without a name", { siteName: "   " }, "siteName"],
    ["no whole number", { maxPostsPerUser: "ten" as never }, "maxPostsPerUser"],
    ["a limit of zero", { maxFileSize: 0 }, "maxFileSize"],
    ["an invalid extension", { allowedFileTypes: "jpg, ../../etc" }, "allowedFileTypes"],
    ["an unknown landing", { landingFigures: "invented" as never }, "landingFigures"],
  ])("%s is rejected, and nothing is saved", async (_what, changes, field) => {
    const saving = saveSettings(world.site, world.ruth, { enableMessages: false, ...changes });
    await expect(saving).rejects.toMatchObject({ code: "invalid", field });
    expect(world.site.settings).toEqual(defaultSettings);
    expect(await history()).toEqual([]);
  });

  test("an unknown setting is rejected", async () => {
    await expect(saveSettings(world.site, world.ruth, { colour: "red" } as never)).rejects.toMatchObject({ code: "invalid" });
  });

  test.each(["maren", "salma"] as const)("is not allowed for %s", async (name) => {
    await expect(saveSettings(world.site, world[name], { maintenanceMode: true })).rejects.toMatchObject({ code: "not-allowed" });
    await expect(saveSettings(world.site, null, { maintenanceMode: true })).rejects.toMatchObject({ code: "sign-in-required" });
    expect(world.site.settings.maintenanceMode).toBe(false);
  });
});

describe("the audit log", () => {
  test("has who changed what, and when", async () => {
    await saveSettings(world.site, world.ruth, { maxPostsPerUser: 7, siteName: "Inkstead" });
    world.clock.advance(60_000);
    await saveSettings(world.site, world.ruth, { maxPostsPerUser: 8 });
    expect(await history()).toMatchObject([
      { userName: "Ruth Castellanos", before: { maxPostsPerUser: 7 }, after: { maxPostsPerUser: 8 }, createdAt: world.site.now() },
      { action: "settings.changed", before: { maxPostsPerUser: 100 }, after: { maxPostsPerUser: 7 } },
    ]);
  });

  test("omits saves without a change", async () => {
    await saveSettings(world.site, world.ruth, { siteName: "Inkstead", allowRegistration: true });
    expect(await history()).toEqual([]);
  });

  test("has every concurrent save with consistent values", async () => {
    const names = ["one", "two", "three", "four", "five"];
    await Promise.all(names.map((siteName) => saveSettings(world.site, world.ruth, { siteName })));
    const steps = (await history()).reverse();
    expect(steps.map((step) => step.before?.siteName)).toEqual(["Inkstead", ...steps.slice(0, -1).map((step) => step.after?.siteName)]);
    expect(world.site.settings.siteName).toBe(steps.at(-1)?.after?.siteName);
  });
});
