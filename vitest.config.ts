import { defineConfig } from "vitest/config";

const include = ["app", "domain", "platform", "server", "scripts"].map((folder) => `${folder}/**/*.test.{ts,tsx}`);

export default defineConfig({
  test: {
    include: [...include, "tests/*.test.ts"],
    globalSetup: ["tests/template.ts"],
    // Journeys run beside it in a browser; a busy machine is slow, not wrong.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // By default a machine of two cores uses one.
    maxWorkers: "100%",
    // One project per database engine; tests ask with `inject("engine")`.
    projects: [{ extends: true, test: { name: "sqlite", provide: { engine: "sqlite" } } }],
  },
});
