import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium } from "@playwright/test";
import { findOrInstallChromium } from "../scripts/chromium.ts";
import { writePage } from "./page.ts";
import { takePictures, views } from "./pictures.ts";
import { screens } from "./screens.ts";
import { openEmptySite, openFullSite } from "./sites.ts";

/**
 * `npm run gallery -- [FOLDER]` takes pictures of every screen in its states, widths and themes, and shows them in
 * `FOLDER/index.html`. Exits with 1 when a screen can’t be opened, throws, scrolls sideways, or
 * violates a rule of axe.
 */
const folder = resolve(process.argv[2] ?? "gallery-pictures");
const startedAt = performance.now();

const executablePath = await findOrInstallChromium();
if (!executablePath) process.exit(1);
const sites = { full: await openFullSite(), empty: await openEmptySite() };
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
try {
  const { pictures, faults } = await takePictures(browser, sites, { screens, views, folder });
  writeFileSync(join(folder, "index.html"), writePage({ screens, views, pictures, faults }));
  for (const { screen, text } of faults) console.log(`✗ ${screen.name}: ${text}`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(
    `${screens.length} screens, ${pictures.length} pictures, ${faults.length} faults in ${seconds} s: ${join(folder, "index.html")}`,
  );
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await browser.close();
  for (const site of Object.values(sites)) await site.server.close();
}
process.exit();
