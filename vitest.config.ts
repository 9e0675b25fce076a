import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { matchesGlob } from "node:path";
import { defineConfig } from "vitest/config";
import TestOrder from "./scripts/test-order.ts";

// Selects the production builds of React and other packages, which take half the time.
process.env.NODE_ENV = "production";

const files = globSync(["{app,domain,platform,server,scripts}/**/*.test.{ts,tsx}", "tests/*.test.ts", "tests/sdk/*.test.ts"]);

/** Site tests for SQLite only; docs/testing.md gives the reasons. All others run on both engines. */
const onSqliteOnly = [
  // Pages: `app/` has no SQL. `pagesOnBoth` lists those with verbs that have no other test on PostgreSQL.
  "app/**",
  // The guard of every admin page; the permission matrix tests the verbs on both engines.
  "server/permissions/admin-matrix.test.ts",
  // Pictures: the cost is decoding.
  "domain/files/avatars.test.ts",
  "server/files/files.test.ts",
  "server/v1/files/previews.test.ts",
  // A failing file store; other tests cover its rows on both engines.
  "domain/files/files-on-s3.test.ts",
  // A thousand people: the caches are in the process.
  "server/pages/send-cached-people.test.ts",
  // Counts of requests, bytes, frames and sockets; no query differs.
  "server/limits/**",
  "server/live/live-connection.test.ts",
  "server/live/live-limits.test.ts",
  "tests/sdk/realtime-limits.test.ts",
  // Encryption and transfer of backups; restore.test.ts compares their content on both engines.
  "scripts/restore/offsite.test.ts",
  // The log, the metrics port and the messages at a start.
  "tests/observability.test.ts",
];

const pagesOnBoth = [
  "app/accounts/takeover.test.ts",
  "app/admin/database/database-page.test.ts",
  "app/admin/messages/messages-page.test.ts",
  "app/forms/hostile-forms.test.ts",
  "app/newsletter/**",
  "app/profiles/own-profile.test.ts",
  "app/reports/report-page.test.ts",
];

/** SQLite has one writer. */
const onPostgresOnly = [
  // Transactions that wait for each other's locks.
  "domain/deadlocks.test.ts",
  "domain/account-deletion/concurrent-changes.test.ts",
  "domain/drafts/concurrent-changes.test.ts",
];

const opensSite = files.filter(
  (file) => file.startsWith("tests/sdk/") || /^import .*\/world\.ts"|inject\("engine"\)/m.test(readFileSync(file, "utf8")),
);
const isIn = (patterns: string[], file: string) => patterns.some((pattern) => matchesGlob(file, pattern));
const onBoth = opensSite.filter((file) => !isIn(onSqliteOnly, file) || isIn(pagesOnBoth, file));
const onSqlite = opensSite.filter((file) => !isIn(onPostgresOnly, file));
const onNone = files.filter((file) => !opensSite.includes(file));

export default defineConfig({
  test: {
    // `npm run check` runs tests without databases.
    globalSetup: process.env.TEST_DATABASES === "none" ? [] : ["tests/support/template.ts"],
    // For hangs only: a busy machine is slow, not wrong.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // Each file opens its own world, and loading the site's modules takes longer than most files.
    isolate: false,
    // Node imports the sources itself, one instance for tests and the built site: Vite's module runner costs a tenth more.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ["--import", "./scripts/jsx.ts"],
    // Test files wait half of the time. On two cores the default is one worker.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: TestOrder },
    // Tests read their engine with `inject("engine")`.
    projects: [
      { extends: true, test: { name: "sqlite", include: onSqlite, provide: { engine: "sqlite" } } },
      { extends: true, test: { name: "postgres", include: onBoth, provide: { engine: "postgres" } } },
      { extends: true, test: { name: "neither", include: onNone } },
    ],
  },
});
