import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { findPostgres } from "../tests/postgres/start.ts";
import { buildIfNeeded } from "./build.ts";
import { runSteps, staticSteps } from "./check.ts";
import { findOrInstallChromium } from "./chromium.ts";
import {
  type Count,
  countRunner,
  describeEngines,
  describePhases,
  type Phase,
  type PlaywrightReport,
  type Report,
  readPlaywright,
} from "./count-results.ts";
import { runTool } from "./processes.ts";

const reports = ".reports";
const compileCache = join("node_modules", ".cache", "node");
const vitestReport = join(reports, "vitest.json");
const playwrightReport = join(reports, "playwright.json");
const failedRun: Count = { passed: 0, failed: 1 };

/** Runs all tests. The last line has the totals of all runners. */
export async function runTests(): Promise<number> {
  rmSync(reports, { recursive: true, force: true });
  // Dozens of processes load the same modules.
  process.env.NODE_COMPILE_CACHE ||= resolve(compileCache);
  const start = performance.now();
  const phases: Phase[] = [];
  const run = async (name: string, work: () => Promise<Count>) => {
    const startedAt = performance.now();
    const count = await work().catch((error: unknown) => {
      console.error(error);
      return failedRun;
    });
    phases.push({ name, count, seconds: secondsSince(startedAt) });
  };

  await run("build", async () => ({ passed: 0, failed: (await buildIfNeeded()) ? 0 : 1 }));
  // Once for both runners, which would each start their own.
  await findPostgres().catch((error: unknown) => console.error(error));
  const checks = async () => {
    for (const step of staticSteps)
      await run(step.name, async () => ({ passed: 0, failed: (await runSteps([step], { bufferOutput: true })).length }));
  };
  // In parallel: each phase waits about half of the time.
  await Promise.all([run("tests", unitTests), run("journeys", journeys), checks()]);

  const [tests, browser] = [readUnitTests(), readJourneys()];
  const broken = phases.filter(({ count }) => count.failed > 0).map(({ name, count }) => `${name}: ${count.failed} failed`);
  const failures = [...broken, ...(tests?.failures ?? []), ...(browser?.failures ?? [])];
  if (failures.length > 0) console.log(`\n${failures.join("\n")}`);
  console.log(`\n${describePhases(phases, secondsSince(start)).join("\n")}`);
  console.log(`\n${describeEngines(tests?.counts, browser?.counts).join("\n")}`);
  const passed = phases.reduce((sum, { count }) => sum + count.passed, 0);
  const failed = phases.reduce((sum, { count }) => sum + count.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** Watches the given files, on SQLite unless a project is given. */
export function watchTests(args: string[]): Promise<number> {
  const projects = args.includes("--project") ? [] : ["--project", "sqlite", "--project", "neither"];
  return runTool("vitest", "vitest", ["watch", ...projects, ...args]);
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

async function unitTests(): Promise<Count> {
  console.log("\n── tests and journeys");
  const reporters = ["--reporter=default", "--reporter=./scripts/engine-reporter.ts"];
  const code = await runTool("vitest", "vitest", ["run", ...reporters], { env: { ENGINE_REPORT: vitestReport } });
  return countRunner(readUnitTests(), code);
}

async function journeys(): Promise<Count> {
  const chromium = await findOrInstallChromium();
  if (!chromium) return failedRun;
  // On SIGTERM it would leave its server running.
  const options = { env: { CHROMIUM: chromium }, stopSignal: "SIGINT", bufferOutput: true } as const;
  const code = await runTool("@playwright/test", "playwright", ["test"], options);
  return countRunner(readJourneys(), code);
}

const readUnitTests = () => readJson<Report>(vitestReport);

function readJourneys(): Report | undefined {
  const report = readJson<PlaywrightReport>(playwrightReport);
  return report && readPlaywright(report);
}

function readJson<Content>(file: string): Content | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Content;
  } catch {
    return undefined;
  }
}
