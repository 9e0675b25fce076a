import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { writePage } from "../../gallery/page.ts";
import { takePictures, views } from "../../gallery/pictures.ts";
import { omitted, screens } from "../../gallery/screens.ts";
import { openEmptySite, openFullSite } from "../../gallery/sites.ts";
import type { seedDemo } from "../../scripts/demo/seed.ts";
import { signIns } from "../../scripts/demo/sign-ins.ts";
import { listPages } from "../permissions/endpoints.ts";
import { addMember } from "../support/members.ts";
import { addPost } from "../support/posts.ts";
import { expect, inBrowserOnly, test } from "./support/fixtures.ts";

/** The sample community's people with sign-ins, and one story. */
const seedMinimal: typeof seedDemo = async (environment) => {
  const site = await openSite(readConfig(environment), createLog("silent"));
  for (const { role, email } of signIns) {
    const member = await addMember({ site }, `Rowan ${role}`, { email, ...(role === "administrator" ? { staff: role } : {}) });
    if (role === "writer") await addPost({ site }, member, { id: "lamp", title: "The Lamp", plainText: "It burned all night." });
  }
  await closeSite(site);
};

const removeLanguage = (page: Page) => page.evaluate(() => document.documentElement.removeAttribute("lang"));

const widen = (page: Page) =>
  page.evaluate(() => {
    (document.querySelector("main") as HTMLElement).style.width = "3000px";
  });

test("every screen is in the gallery or listed as an exception", inBrowserOnly, async () => {
  const paths = (await listPages()).filter(({ screen }) => screen).map(({ path }) => path.slice(1));
  const shown = new Set([...screens.map(({ route }) => route), ...Object.keys(omitted), "*"]);
  expect(paths.filter((path) => !shown.has(path))).toEqual([]);
});

test(
  "the gallery takes pictures of screens and reports horizontal scrolling and axe violations",
  inBrowserOnly,
  async ({ browser }, testInfo) => {
    test.slow();
    const few = ["Landing", "Story", "Chat", "New story", "Your posts", "Admin: posts", "Admin: a report", "Home, a new site"];
    const chosen = {
      screens: screens.filter(({ name }) => few.includes(name)),
      views: views.filter(({ name }) => /^(1440|320)$/.test(name)),
    };
    const folder = testInfo.outputPath("pictures");
    const sites = { full: await openFullSite(seedMinimal), empty: await openEmptySite() };
    try {
      const { pictures, faults } = await takePictures(browser, sites, { ...chosen, folder });
      expect(faults).toEqual([]);
      expect(pictures).toHaveLength(few.length * 2);
      for (const { file } of pictures) expect(existsSync(join(folder, file)), file).toBe(true);
      expect(
        readFileSync(join(folder, pictures[0]?.file ?? ""))
          .subarray(0, 2)
          .toString("hex"),
      ).toBe("ffd8");
      const page = writePage({ ...chosen, pictures, faults });
      for (const name of few) expect(page).toContain(name);

      const wide = chosen.screens.slice(0, 1).map((screen) => ({ ...screen, act: widen }));
      const wrong = await takePictures(browser, sites, { ...chosen, screens: wide, folder });
      expect(wrong.faults.map(({ text }) => text)).toEqual(["scrolls sideways at 1440"]);
      const unnamed = chosen.screens.slice(0, 1).map((screen) => ({ ...screen, act: removeLanguage }));
      const { faults: violations } = await takePictures(browser, sites, { ...chosen, screens: unnamed, folder });
      expect(violations.map(({ text }) => text)).toEqual([expect.stringMatching(/^accessibility at 1440: html-has-lang/)]);
    } finally {
      for (const { server } of Object.values(sites)) await server.close();
    }
  },
);
