import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brokenLinks, existsIn, missingFiles, readDocuments } from "./tidy/documents.ts";
import { readWorkflows, unknownCommands, workflowFaults } from "./tidy/workflows.ts";

const root = join(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
const commands = Object.keys(scripts);

test("files named in documents exist", () => {
  const sample = {
    path: "docs/a.md",
    text: "`domain/site.ts`, `tests/tidy/**`, `app/posts/{editor,lists}`, `/admin/posts` and `domain/gone.ts`",
  };
  expect(missingFiles([sample], existsIn(root))).toEqual(["docs/a.md names domain/gone.ts"]);
  const documents = readDocuments(root);
  expect(documents.length).toBeGreaterThan(20);
  expect(missingFiles(documents, existsIn(root))).toEqual([]);
});

test("links between documents work", () => {
  const a = {
    path: "docs/a.md",
    text: "# A: one\n[b](b.md#two-words), [gone](b.md#gone), [here](#a-one), [file](../README.md), [no](c.md)",
  };
  const b = { path: "docs/b.md", text: "## Two words" };
  const there = (path: string) => ["docs/a.md", "docs/b.md", "README.md"].includes(path);
  expect(brokenLinks([a, b], there)).toEqual(["docs/a.md links to b.md#gone", "docs/a.md links to c.md"]);
  expect(brokenLinks(readDocuments(root), existsIn(root))).toEqual([]);
});

test("commands named in documents exist", () => {
  expect(unknownCommands("`npm run gone -- x`, `npm run --silent sbom`, `npm start`", commands)).toEqual(["runs npm run gone"]);
  const wrong = readDocuments(root).flatMap(({ path, text }) => unknownCommands(text, commands).map((fault) => `${path} ${fault}`));
  expect(wrong).toEqual([]);
});

test("in workflows every command exists, every action is pinned, every job has a timeout", () => {
  const job = (steps: string) =>
    `name: A\non: { push: {} }\npermissions: {}\njobs:\n  a: { runs-on: b, timeout-minutes: 5, steps: [${steps}] }`;
  const faults = (text: string) => workflowFaults({ path: "a.yml", text }, commands);
  expect(faults(job("{ run: npm run gone }, { uses: actions/checkout@v7 }"))).toEqual([
    "a.yml uses actions/checkout@v7, which has no commit",
    "a.yml runs npm run gone",
  ]);
  expect(faults(job("{ run: npm test }").replace("timeout-minutes: 5, ", ""))[0]).toContain("timeout-minutes");
  const workflows = readWorkflows(root);
  expect(workflows.map(({ path }) => path)).toEqual([".github/workflows/release.yml", ".github/workflows/test.yml"]);
  expect(workflows.flatMap((workflow) => workflowFaults(workflow, commands))).toEqual([]);
});
