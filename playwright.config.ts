import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.ts";
import type { JourneyOptions } from "./tests/journeys/support/fixtures.ts";
import { planJourneys, workers } from "./tests/journeys/support/servers.ts";

// Workers read this file again and find the chosen Chromium in their environment.
process.env.CHROMIUM ??= findChromium() ?? "";
const { servers } = await planJourneys();

/** On SQLite only: journeys tagged `inBrowserOnly`, or with other tests on PostgreSQL for their queries. */
const sqliteOnlyFiles = ["story-form*", "drafts", "fixtures", "operations", "account-takeover", "profile", "views"].map(
  (name) => `**/${name}.spec.ts`,
);
const sqliteOnlyTitles = [
  "older messages load without moving",
  "messages sent offline wait",
  "the address changes through an email",
  "publishing again after a lost response",
  "leaves? a story that is unpublished",
  "an open story shows others",
  "an administrator manages stories",
  "after quick presses",
  "a draft is shown to its author",
];

// Without network access, Chromium's own requests fill the log with errors.
const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic", "--no-first-run"];
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export default defineConfig<object, JourneyOptions>({
  testDir: "tests/journeys",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers,
  // For hangs only: a busy machine is slow, not wrong.
  timeout: 240_000,
  globalTimeout: 75 * 60_000,
  expect: { timeout: 60_000 },
  reporter: [["list"], ["json", { outputFile: ".reports/playwright.json" }]],
  globalSetup: "./tests/journeys/support/setup.ts",
  projects: (["sqlite", "postgres"] as const).map((engine) => ({
    name: engine,
    use: { engine },
    ...(engine === "postgres" && { testIgnore: sqliteOnlyFiles, grepInvert: [/@browser/, new RegExp(sqliteOnlyTitles.join("|"))] }),
  })),
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 40_000,
    // Tracing costs a tenth of the processor time; `test-results/*/error-context.md` has the page anyway. Use `--trace on` for more.
    trace: "off",
    // Playwright can't observe requests through a service worker. Journeys about it allow it.
    serviceWorkers: "block",
    locale: "en-GB",
    timezoneId: "UTC",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
      args: ["--disable-dev-shm-usage", "--disable-gpu", ...quiet, ...asRoot],
    },
  },
  webServer: servers.map(({ engine, worker, url, environment }) => ({
    name: `${engine} ${worker}`,
    command: `"${process.execPath}" build/site/serve.js`,
    url: `${url}/readyz`,
    reuseExistingServer: false,
    // For hangs only: a busy machine is slow, not wrong.
    timeout: 240_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 5_000 },
    stdout: "ignore",
    stderr: "pipe",
    env: { NODE_ENV: "production", LOG_LEVEL: "warn", ...environment },
  })),
});
