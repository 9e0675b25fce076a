import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { matchesGlob } from "node:path";
import { defineConfig } from "vitest/config";
import TestOrder from "./scripts/test-order.ts";

const files = globSync(["{app,domain,platform,server,scripts}/**/*.test.{ts,tsx}", "tests/*.test.ts", "tests/sdk/*.test.ts"]);

/** These open a site and run on SQLite alone; docs/testing.md says why. Every other file that opens one runs on both engines. */
const onSqliteAlone = [
  // Pages: `app/` holds no SQL. Those named below run verbs that have no other test on PostgreSQL.
  "app/**",
  // The guard before every page of the admin area; what is behind it is asked on both by the permission matrix.
  "server/permissions/admin-matrix.test.ts",
  // Pictures: what they cost is decoding.
  "domain/files/avatars.test.ts",
  "server/files/files.test.ts",
  "server/v1/files/previews.test.ts",
  // A store of files that fails; what it holds is in rows that other tests have on both.
  "domain/files/files-on-s3.test.ts",
  // A thousand people: what is kept between them is in the process.
  "server/pages/send-kept-people.test.ts",
  // They count requests, bytes, frames and sockets, and wait; no query differs.
  "server/limits/**",
  "server/live/live-connection.test.ts",
  "server/live/live-limits.test.ts",
  "tests/sdk/realtime-limits.test.ts",
  // How a backup is encrypted, sent and fetched; what is in one is compared on both by restore.test.ts.
  "scripts/restore/offsite.test.ts",
  // The log, the port of figures and what is printed at a start.
  "tests/seeing-inside.test.ts",
];

const onBothAllTheSame = [
  "app/accounts/takeover.test.ts",
  "app/admin/database/database-page.test.ts",
  "app/admin/messages/messages-page.test.ts",
  "app/forms/hostile-forms.test.ts",
  "app/newsletter/**",
  "app/profiles/own-profile.test.ts",
  "app/reports/report-page.test.ts",
];

const opensSite = files.filter(
  (file) => file.startsWith("tests/sdk/") || /^import .*\/world\.ts"|inject\("engine"\)/m.test(readFileSync(file, "utf8")),
);
const isIn = (patterns: string[], file: string) => patterns.some((pattern) => matchesGlob(file, pattern));
const onBoth = opensSite.filter((file) => !isIn(onSqliteAlone, file) || isIn(onBothAllTheSame, file));
const onNone = files.filter((file) => !opensSite.includes(file));

export default defineConfig({
  test: {
    // `npm run check` runs what opens no database.
    globalSetup: process.env.TEST_DATABASES === "none" ? [] : ["tests/support/template.ts"],
    // For what hangs. A busy machine is slow, not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // React chooses its build by it: what people are sent is what is tested, and it costs half.
    env: { NODE_ENV: "production" },
    // Every file opens worlds of its own, and loading all that the site is made of costs more than most files do.
    isolate: false,
    // Half of the time of a test file is waiting: for servers that start, time limits, disks. By default a machine of two cores uses one.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: TestOrder },
    // Tests ask for their engine with `inject("engine")`.
    projects: [
      { extends: true, test: { name: "sqlite", include: opensSite, provide: { engine: "sqlite" } } },
      { extends: true, test: { name: "postgres", include: onBoth, provide: { engine: "postgres" } } },
      { extends: true, test: { name: "neither", include: onNone } },
    ],
  },
});
