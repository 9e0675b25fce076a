import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const files = globSync(["{app,domain,platform,server,scripts}/**/*.test.{ts,tsx}", "tests/*.test.ts"]);

/** Whoever asks for the engine or opens a world is tested on both; the others once. */
const onEngine = files.filter((file) =>
  /inject\("engine"\)|from ".*\/tests\/world\.ts"|from "\.\/world\.ts"/.test(readFileSync(file, "utf8")),
);
const onNone = files.filter((file) => !onEngine.includes(file));

export default defineConfig({
  test: {
    globalSetup: ["tests/template.ts"],
    // Journeys run beside it in a browser; a busy machine is slow, not wrong.
    testTimeout: 30_000,
    hookTimeout: 30_000,
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
