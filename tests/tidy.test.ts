import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as contents from "./tidy/contents.ts";
import { skippedTests, testsWithoutExpectation } from "./tidy/expectations.ts";
import { formReads } from "./tidy/forms.ts";
import * as imports from "./tidy/imports.ts";
import { refusalClasses } from "./tidy/refusals.ts";
import { readProject, readSource, type Source } from "./tidy/source.ts";
import { retiredWords, vagueConstants } from "./tidy/words.ts";

/** Each of the `bad` files breaks the rule, none of the `good` ones does; `context` exists for both. */
type Rule = {
  title: string;
  find: (sources: Source[]) => string[];
  bad: Record<string, string>;
  good: Record<string, string>;
  context?: Record<string, string>;
};

const routes = { "app/routes.ts": 'export default [route("a", "a-page.tsx")];' };

function filesIn(folder: string, count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_each, index) => [`${folder}/file-${index}.ts`, ""]));
}

const rules: Rule[] = [
  {
    title: "imports go from app to domain to platform, from server to all of them, and never to server",
    find: imports.importDirection,
    bad: {
      "app/a.ts": 'import "#platform/log.ts";',
      "app/b.ts": 'import type { Web } from "#server/web.ts";',
      "domain/a.ts": 'import { siteContext } from "#app/context.ts";',
      "domain/b.ts": 'export { a } from "#server/a.ts";',
      "platform/a.ts": 'const site = await import("#domain/site.ts");',
      "platform/b.ts": 'type Site = import("#domain/site.ts").Site;',
      "server/a.ts": 'import { runNode } from "../scripts/processes.ts";',
      "server/b.ts": 'import { openWorld } from "../tests/world.ts";',
    },
    good: {
      "app/c.ts":
        'import "#domain/site.ts"; import { days } from "#platform/time.ts"; import { x } from "./b.ts"; import type { Route } from "./+types/a-page.ts";',
      "server/c.ts": 'import "#app/context.ts"; import "#platform/log.ts"; import "hono"; import("../build/server/index.js");',
      "scripts/b.ts": 'import "#server/site.ts";',
      "domain/a.test.ts": 'import { openWorld } from "../tests/world.ts";',
      "vite.config.ts": 'import "./scripts/build.ts";',
    },
  },
  {
    title: "imports of another top-level folder use its #name, not ../",
    find: imports.relativeImports,
    bad: { "server/a.ts": 'import "../domain/site.ts";', "domain/posts/a.ts": 'import type { Log } from "../../platform/log.ts";' },
    good: { "domain/posts/b.ts": 'import { NotFound } from "../refusals.ts";', "domain/a.test.ts": 'import "../tests/world.ts";' },
  },
  {
    title: "context keys are imported as #app/context.ts",
    find: imports.contextKeys,
    bad: { "app/a.ts": 'import { siteContext } from "./context.ts";', "app/posts/a.ts": 'import { siteContext } from "../context.ts";' },
    good: { "app/b.ts": 'import { siteContext } from "#app/context.ts";' },
  },
  {
    title: "links and icons come from app/ui",
    find: imports.libraryComponents,
    bad: { "app/a.tsx": 'import { Form, Link } from "react-router";', "app/b.tsx": 'import { Heart } from "lucide-react";' },
    good: { "app/c.tsx": 'import { Form, Links } from "react-router"; import { Link } from "#app/ui/link.tsx";' },
  },
  {
    title: "no imports form a cycle",
    find: imports.cycles,
    bad: { "domain/a.ts": 'import "./b.ts";', "domain/e.ts": 'import type { F } from "./f.ts";' },
    context: {
      ...{ "domain/b.ts": 'import "#domain/c.ts";', "domain/c.ts": 'export { a } from "./a.ts";' },
      "domain/f.ts": 'import type { E } from "./e.ts";',
    },
    good: { "domain/d.ts": 'import "./b.ts"; export const later = () => import("./d.ts");' },
  },
  {
    title: "folders of the domain form no cycle, except posts, moderation and rules",
    find: imports.folderCycles,
    context: {
      "domain/files/b.ts": 'import { c } from "../search/c.ts";',
      "domain/search/d.ts": 'import { e } from "#domain/drafts/e.ts";',
    },
    bad: { "domain/drafts/a.ts": 'import { b } from "../files/b.ts";', "domain/drafts/f.ts": 'export { b } from "#domain/search/c.ts";' },
    good: {
      "domain/drafts/g.ts": 'import type { B } from "../files/b.ts"; import { type C } from "#domain/search/c.ts"; import "../site.ts";',
      "domain/posts/a.ts": 'import { b } from "../moderation/b.ts";',
      "domain/moderation/b.ts": 'import { c } from "#domain/rules/c.ts";',
      "domain/rules/c.ts": 'import { a } from "#domain/posts/a.ts";',
    },
  },
  {
    title: "migrations import only each other and step.ts",
    find: imports.migrationImports,
    bad: { "platform/database/migrations/0001-a.ts": 'import type { Tables } from "../schema.ts";' },
    good: {
      "platform/database/migrations/0002-b.ts": 'import { type Step, sql } from "./step.ts";',
      "platform/database/migrations/step.ts": 'import { sql } from "kysely";',
    },
  },
  {
    title: "components don't import server-only modules",
    find: imports.serverOnly,
    context: { ...routes, "app/lists.ts": 'import { list } from "#domain/a.server.ts"; export const all = list;' },
    bad: { "app/card.tsx": 'import { list } from "#domain/a.server.ts";', "app/panel.tsx": 'import { all } from "./lists.ts";' },
    good: {
      "app/a-page.tsx": 'import { list } from "#domain/a.server.ts"; import { all } from "./lists.ts";',
      "app/row.tsx": 'import type { Listed } from "#domain/a.server.ts";',
      "app/quote.server.ts": 'import { list } from "#domain/a.server.ts";',
      "app/letter.server.tsx": 'import { list } from "#domain/a.server.ts";',
    },
  },
  {
    title: "no file has more than 300 lines",
    find: contents.longFiles,
    bad: { "app/a.css": `${"\n".repeat(300)}p {}`, "domain/a.ts": "let a;\n".repeat(301) },
    good: { "domain/b.ts": "let a;\n".repeat(300) },
  },
  {
    title: "no folder has more than 30 files, except demo stories",
    find: contents.largeFolders,
    context: filesIn("app/posts", 30),
    bad: { "app/posts/a.ts": "", "app/posts/b.test.ts": "" },
    good: filesIn("scripts/demo/stories", 31),
  },
  {
    title: "file names are in kebab-case and not generic, like utils",
    find: contents.unclearNames,
    bad: Object.fromEntries(
      [
        "domain/utils.ts",
        "app/helpers/a.ts",
        "app/lib/a.ts",
        "domain/common.server.ts",
        "domain/shared/a.ts",
        "app/PostCard.tsx",
        "app/post_card.tsx",
      ].map((path) => [path, ""]),
    ),
    good: {
      "app/posts/post-card.tsx": "",
      "domain/posts/posts.server.ts": "",
      "platform/database/migrations/0001-accounts.ts": "",
      "app/common-ground.ts": "",
    },
  },
  {
    title: "no file only re-exports",
    find: contents.barrels,
    bad: {
      "app/index.ts": 'export * from "./a.ts";',
      "domain/all.ts": 'export { a } from "./a.ts"; export type { B } from "./b.ts";',
      "domain/both.ts": 'import { a } from "./a.ts"; export { a };',
    },
    good: { "domain/a.ts": 'export { a } from "./a.ts"; export const b = 1;', "scripts/a.ts": 'import "./b.ts"; run();' },
  },
  {
    title: "only route modules have default exports",
    find: contents.defaultExports,
    context: routes,
    bad: { "app/card.tsx": "export default function Card() {}", "domain/a.ts": "export default 1;" },
    good: { "app/a-page.tsx": "export default function APage() {}", "vitest.config.ts": "export default {};" },
  },
  {
    title: "app/ has no SQL and no database",
    find: contents.sqlInApp,
    bad: {
      "app/a.ts": 'import { sql } from "kysely";',
      "app/b.ts": 'import { DatabaseSync } from "node:sqlite";',
      "app/c.ts": "const q = sql`select 1`;",
      "app/d.ts": 'run("select id from posts where id = ?");',
      "app/e.ts": "run(`delete from posts where id = $" + "{id}`);",
      "app/f.ts": "site.db.toString();",
      "app/g.ts": 'handle.selectFrom("posts");',
    },
    good: { "app/h.tsx": 'const a = <p>Select one from the list</p>; const b = "Select a file"; const c = "Update your settings";' },
  },
  {
    title: "only platform/config.ts reads the environment",
    find: contents.environmentReads,
    bad: {
      "server/a.ts": "const port = process.env.PORT;",
      "server/serve.ts": "listen(process.env.PORT);",
      "domain/a.ts": "const { SECRET } = process.env;",
      "app/a.ts": 'import { env } from "node:process";',
    },
    good: {
      "platform/config.ts": "process.env.PORT;",
      "server/b.ts": "process.exitCode = 1;",
      "scripts/a.ts": "process.env.NODE_ENV = 'production';",
    },
  },
  {
    title: "one file reads posted forms",
    find: formReads,
    bad: {
      "app/a-action.ts": "export async function action({ request }) { const form = await request.formData(); }",
      "app/b-action.ts": "export const action = async ({ request }) => (await request.clone().formData()).get('a');",
      "server/a.ts": "const form = await c.req.formData();",
    },
    good: {
      "app/d-page.tsx": "export async function clientAction({ request }) { const form = await request.clone().formData(); }",
      "app/e.ts": "const { formData } = useNavigation(); const x = fetcher.formData?.get('a');",
    },
  },
  {
    title: "a verb documents its errors, except refusals by the permissions",
    find: contents.undocumentedErrors,
    bad: {
      "domain/a.server.ts": "export async function readPost(site: Site, viewer: Viewer) { throw new NotFound(); }",
      "domain/b.server.ts": "/** A type. */\nexport type A = 1;\nexport function attach(tx: SiteTransaction) { throw new Invalid(); }",
      "domain/d.server.ts": "/** @throws what the permissions refuse. */\nexport async function listRules(site: Site) {}",
    },
    good: {
      "domain/c.server.ts":
        "/** @throws NotFound. */\nexport function read(site: Site) { throw new NotFound(); }\nexport function list(site: Site) {}",
      "domain/a.ts": "export function title(site: Site) {}",
    },
  },
  {
    title: "no test is skipped",
    find: skippedTests,
    bad: Object.fromEntries(
      [
        "test.only",
        "it.skip",
        "describe.only",
        "test.todo",
        "test.describe.only",
        "test.skipIf(a)",
        "xit",
        "test.each([1]).skip",
        "test.fixme",
      ].map((call, i) => [`domain/left-${i}.test.ts`, `${call}("a", () => { expect(1).toBe(1); });`]),
    ),
    good: { "domain/a.test.ts": 'test("a", () => { expect(list.only).toBe(1); });' },
  },
  {
    title: "every test has an expectation",
    find: testsWithoutExpectation,
    bad: {
      "domain/a.test.ts": 'test("a", () => { run(); });',
      "domain/b.test.ts": 'test.each([1])("a %s", async () => { await run(); });',
      "domain/c.test.ts": 'const work = () => run(); test("a", work);',
      "tests/journeys/d.spec.ts": 'test("a", async ({ page }) => { await page.goto("/"); });',
      "domain/e.test.ts": 'describe("a", () => { expect(1).toBe(1); it("b", function () {}); });',
    },
    good: {
      "domain/f.test.ts":
        'function check() { expect(1).toBe(1); } const twice = () => check(); test("a", () => { twice(); }); test("b", check);',
      "domain/g.test.ts": 'test.for([1])("a", async () => { await expect(run()).rejects.toThrow(); });',
      "tests/journeys/h.spec.ts": 'test("a", async ({ page }) => { await expectAccessible(page); }); test.use({ locale: "de" });',
      "domain/i.test.ts": 'test("a", () => fc.assert(fc.property(fc.string(), (text) => text === text)));',
    },
  },
  {
    title: "refusals are identified by code and details, not by class",
    find: refusalClasses,
    bad: { "app/a.ts": "if (error instanceof Conflict) stop();", "domain/a.ts": "export class SlugConflict extends Conflict {}" },
    good: { "domain/b.ts": 'class NotSaved extends Error {} if (detailsOf(error, "slug-taken") || error instanceof NotSaved) stop();' },
  },
  {
    title: "retired words are not used (docs/glossary.md)",
    find: retiredWords,
    bad: {
      "domain/a.ts": "export function readTally() {}",
      "server/whispers.ts": "export const a = 1;",
      "app/a.tsx": "/** What every door checks. */",
      "app/b.tsx": "/** The colour of a badge. */",
    },
    good: { "scripts/demo/a.ts": "/** A portrait. */", "domain/b.ts": "/** Promises raise nothing. */ export const indoors = 1;" },
  },
  {
    title: "constants carry their unit and object",
    find: vagueConstants,
    bad: { "domain/a.ts": "const patience = 5_000;", "server/a.ts": "export const atOnce = 2 * 25;" },
    good: { "domain/b.ts": "const sendTimeoutMs = 5_000; const kept = read();" },
  },
];

const root = join(import.meta.dirname, "..");
const project = readProject(root);
const sample = (files: Record<string, string>) => Object.entries(files).map(([path, text]) => readSource(path, text));

test("finds the project's files", () => expect(project.length).toBeGreaterThan(50));

describe("house rules", () => {
  for (const { title, find, bad, good, context = {} } of rules) {
    test(title, () => {
      for (const [path, text] of Object.entries(bad)) {
        expect(find(sample({ ...context, [path]: text })), `the sample ${path} should break the rule`).not.toEqual([]);
      }
      expect(find(sample({ ...context, ...good })).filter((each) => Object.keys(good).some((path) => each.startsWith(path)))).toEqual([]);
      expect(find(project)).toEqual([]);
    });
  }
});
