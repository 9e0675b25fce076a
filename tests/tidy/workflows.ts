import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { Document } from "./documents.ts";

const folder = join(".github", "workflows");

export function readWorkflows(root: string): Document[] {
  return readdirSync(join(root, folder)).map((name) => ({
    path: join(folder, name),
    text: readFileSync(join(root, folder, name), "utf8"),
  }));
}

const Step = z.union([z.object({ uses: z.string() }), z.object({ run: z.string() })]);
const Workflow = z.object({
  name: z.string(),
  on: z.looseObject({}),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({ "runs-on": z.string(), needs: z.string().optional(), "timeout-minutes": z.number(), steps: z.array(Step).min(1) }),
  ),
});

const pinned = /^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/;

/** Faults of a workflow that are visible without running it. */
export function workflowFaults({ path, text }: Document, scripts: string[]): string[] {
  const workflow = Workflow.safeParse(parse(text));
  if (!workflow.success) return workflow.error.issues.map(({ path: place, message }) => `${path}: ${place.join(".")}: ${message}`);
  const { jobs } = workflow.data;
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const loose = steps.flatMap((step) => ("uses" in step && !pinned.test(step.uses) ? [`uses ${step.uses}, which has no commit`] : []));
  const absent = Object.values(jobs).flatMap(({ needs }) => (needs && !Object.hasOwn(jobs, needs) ? [`needs ${needs}`] : []));
  const runs = steps.map((step) => ("run" in step ? step.run : "")).join("\n");
  return [...loose, ...absent, ...unknownCommands(runs, scripts)].map((fault) => `${path} ${fault}`);
}

/** `npm run X` without X in package.json; `npm start` needs a script too. */
export function unknownCommands(text: string, scripts: string[]): string[] {
  const named = [...text.matchAll(/\bnpm (?:run (?:--silent )?(?=[a-z])|(?=(?:start|test)\b))([a-z][a-z-]*)/g)];
  return [...new Set(named.map(([, name = ""]) => name))].filter((name) => !scripts.includes(name)).map((name) => `runs npm run ${name}`);
}
