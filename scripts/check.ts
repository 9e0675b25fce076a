import { checkBudgets } from "./budgets.ts";
import { type Options, runTool } from "./processes.ts";
import { reportAdvisories, requestAudit } from "./supply-chain.ts";

type Step = { name: string; run: (options?: Options) => Promise<number> };

export const staticSteps: Step[] = [
  { name: "format and lint", run: (options) => runTool("@biomejs/biome", "biome", ["check", "--error-on-warnings"], options) },
  { name: "route types", run: (options) => runTool("@react-router/dev", "react-router", ["typegen"], options) },
  { name: "types", run: (options) => runTool("typescript", "tsc", ["--project", "."], options) },
];

const tidyTests = ["tests/tidy.test.ts", "tests/documents.test.ts", "tests/packages.test.ts"];
const tidy: Step = {
  name: "tidiness",
  run: () => runTool("vitest", "vitest", ["run", "--project", "neither", ...tidyTests], { env: { TEST_DATABASES: "none" } }),
};

const budgets: Step = { name: "budgets", run: checkBudgets };

/** Runs every step, even after a failure. */
export async function check(): Promise<number> {
  // Not among the tests: advisories change without us, and some machines reach no registry. The request runs during the other steps.
  const audit = requestAudit();
  const advisories: Step = { name: "advisories", run: async () => reportAdvisories(await audit) };
  const failed = await runSteps([...staticSteps, tidy, budgets, advisories]);
  console.log(failed.length === 0 ? "\nEverything is in order." : `\nFailed: ${failed.join(", ")}.`);
  return failed.length === 0 ? 0 : 1;
}

/** @returns the names of the steps that failed. */
export async function runSteps(steps: Step[], options?: Options): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of steps) {
    console.log(`\n── ${name}`);
    if ((await run(options)) !== 0) failed.push(name);
  }
  return failed;
}

export function format(paths: string[]): Promise<number> {
  return runTool("@biomejs/biome", "biome", ["check", "--write", ...paths]);
}
