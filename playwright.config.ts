import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./scripts/chromium.ts";
import { freePort } from "./tests/process.ts";

// Each worker reads this file again; what was chosen first reaches it through the environment.
process.env.JOURNEY_PORT ??= String(await freePort());
process.env.JOURNEY_SMTP_PORT ??= String(await freePort());
process.env.JOURNEY_FOLDER ??= mkdtempSync(join(tmpdir(), "inkstead-journeys-"));
process.env.CHROMIUM ??= findChromium() ?? "";

const baseURL = `http://localhost:${process.env.JOURNEY_PORT}`;

// Browsers look things up on the network by themselves; on a closed one that fills the log with errors.
const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic", "--no-first-run"];
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export default defineConfig({
  testDir: "tests/journeys",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  globalTimeout: 20 * 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json", { outputFile: ".reports/playwright.json" }]],
  globalSetup: "./tests/journeys/setup.ts",
  use: {
    baseURL,
    // What is not there after this long won't come.
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    trace: "retain-on-failure",
    locale: "en-GB",
    timezoneId: "UTC",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
      args: ["--disable-dev-shm-usage", "--disable-gpu", ...quiet, ...asRoot],
    },
  },
  webServer: {
    command: `"${process.execPath}" server/main.ts`,
    url: `${baseURL}/readyz`,
    reuseExistingServer: false,
    timeout: 60_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 5_000 },
    stdout: "ignore",
    stderr: "pipe",
    env: {
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      HOST: "127.0.0.1",
      PORT: process.env.JOURNEY_PORT,
      SITE_URL: baseURL,
      DATA_DIR: join(process.env.JOURNEY_FOLDER, "data"),
      SMTP_URL: `smtp://127.0.0.1:${process.env.JOURNEY_SMTP_PORT}`,
      SECRET: "a secret that only the journeys know",
      ADMIN_EMAILS: "",
      DATABASE_URL: "",
      FILES_URL: "",
    },
  },
});
