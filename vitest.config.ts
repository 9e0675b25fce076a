import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const files = globSync(["{app,domain,platform,server,scripts}/**/*.test.{ts,tsx}", "tests/*.test.ts", "tests/sdk/*.test.ts"]);

/** Whoever asks for the engine or opens a world is tested on both; the others once. */
const onEngine = files.filter(
  (file) =>
    /inject\("engine"\)|from ".*\/tests\/world\.ts"|from "\.\/world\.ts"/.test(readFileSync(file, "utf8")) || file.startsWith("tests/sdk/"),
);
const onNone = files.filter((file) => !onEngine.includes(file));

export default defineConfig({
  test: {
    globalSetup: ["tests/template.ts"],
    // For what hangs. A busy machine is slow, not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // Every file opens worlds of its own, and loading all that the site is made of costs more than most files do.
    isolate: false,
    // By default a machine of two cores uses one.
    maxWorkers: "100%",
    // Tests ask for their engine with `inject("engine")`.
    projects: [
      { extends: true, test: { name: "sqlite", include: onEngine, provide: { engine: "sqlite" } } },
      { extends: true, test: { name: "postgres", include: onEngine, provide: { engine: "postgres" } } },
      { extends: true, test: { name: "neither", include: onNone } },
    ],
  },
});
