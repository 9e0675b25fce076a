import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { matchesGlob } from "node:path";
import { defineConfig } from "vitest/config";

const files = globSync(["{app,domain,platform,server,scripts}/**/*.test.{ts,tsx}", "tests/*.test.ts", "tests/sdk/*.test.ts"]);

/** These open a site and run on SQLite alone; docs/testing.md says why. Every other file that opens one runs on both engines. */
const onSqliteAlone = [
  // Pages whose queries all belong to verbs that have tests of their own on both.
  "app/{pages,posts,shell}/**",
  // Pictures: what they cost is decoding.
  "domain/files/avatars.test.ts",
  "server/files/files.test.ts",
  "server/v1/files/previews.test.ts",
  // A thousand people: what is kept between them is in the process.
  "server/pages/send-kept-people.test.ts",
  // They count requests and bytes, and wait; no query differs.
  "server/limits/**",
];

const opensSite = files.filter(
  (file) => file.startsWith("tests/sdk/") || /^import .*\/world\.ts"|inject\("engine"\)/m.test(readFileSync(file, "utf8")),
);
const onBoth = opensSite.filter((file) => !onSqliteAlone.some((pattern) => matchesGlob(file, pattern)));
const onNone = files.filter((file) => !opensSite.includes(file));

export default defineConfig({
  test: {
    // `npm run check` runs what opens no database.
    globalSetup: process.env.TEST_DATABASES === "none" ? [] : ["tests/support/template.ts"],
    // For what hangs. A busy machine is slow, not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // Every file opens worlds of its own, and loading all that the site is made of costs more than most files do.
    isolate: false,
    // Half of the time of a test file is waiting: for servers that start, time limits, disks. By default a machine of two cores uses one.
    maxWorkers: availableParallelism() + 1,
    // Tests ask for their engine with `inject("engine")`.
    projects: [
      { extends: true, test: { name: "sqlite", include: opensSite, provide: { engine: "sqlite" } } },
      { extends: true, test: { name: "postgres", include: onBoth, provide: { engine: "postgres" } } },
      { extends: true, test: { name: "neither", include: onNone } },
    ],
  },
});
