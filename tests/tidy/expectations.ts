import { Visitor } from "vite";
import { isTest, lineOf, type Source, visit } from "./source.ts";

type Node = { type: string; start: number; end: number };
type NamedNode = { type: string; name?: string; object?: NamedNode; callee?: NamedNode; property?: NamedNode; tag?: NamedNode };

const testNames = ["test", "it", "base"];
const groups = [...testNames, "describe", "suite"];
const notNow = ["only", "skip", "todo", "fixme", "skipIf", "runIf", "fails", "fail"];
const crossed = ["xit", "xtest", "xdescribe", "fit", "fdescribe"];

/** No test is skipped. */
export function skippedTests(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => isTest(path))
    .flatMap((source) => {
      const found: string[] = [];
      visit(source, {
        MemberExpression: (node) => {
          const { object, property } = node as unknown as { object: NamedNode; property: NamedNode };
          if (groups.includes(rootName(object)) && notNow.includes(property.name ?? "")) {
            found.push(`${source.path}:${lineOf(source, node.start)} ${source.text.slice(node.start, node.end)}`);
          }
        },
        CallExpression: ({ callee, start }) => {
          if (callee.type === "Identifier" && crossed.includes(callee.name))
            found.push(`${source.path}:${lineOf(source, start)} ${callee.name}`);
        },
      });
      return found;
    });
}

/** Every test has an expectation: its own, or that of a function of its file or of one named `expect…`. */
export function testsWithoutExpectation(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => /\.(test|spec)\.tsx?$/.test(path))
    .flatMap((source) => {
      const expecting = expectingFunctions(source);
      return testsOf(source)
        .filter(({ body }) => !(body.type === "Identifier" ? expecting.has((body as NamedNode).name ?? "") : expects(body, expecting)))
        .map(({ start }) => `${source.path}:${lineOf(source, start)}`);
    });
}

/** Callbacks of `test("…", callback)`, `test.each(…)("…", callback)` and the like. */
function testsOf(source: Source): { start: number; body: Node }[] {
  const found: { start: number; body: Node }[] = [];
  visit(source, {
    CallExpression: ({ callee, arguments: given, start }) => {
      if (!isTestCall(callee as unknown as NamedNode) || given.length < 2) return;
      const body = given.findLast(({ type }) => /Function|Identifier/.test(type));
      if (body) found.push({ start, body });
    },
  });
  return found;
}

/** `test(…)`, `test.concurrent(…)`, `test.each(…)(…)`; not `test.each(…)` or `test.describe(…)` themselves. */
function isTestCall(callee: NamedNode): boolean {
  if (callee.type === "Identifier") return testNames.includes(callee.name ?? "");
  if (callee.type === "MemberExpression") {
    const isPart = ["each", "for", "extend", "describe", "use", "step", "slow", "beforeEach", "afterEach", "beforeAll", "afterAll"];
    return testNames.includes(rootName(callee)) && !isPart.includes(callee.property?.name ?? "");
  }
  if (callee.type !== "CallExpression" && callee.type !== "TaggedTemplateExpression") return false;
  const inner = callee.callee ?? callee.tag;
  return inner?.type === "MemberExpression" && testNames.includes(rootName(inner)) && ["each", "for"].includes(inner.property?.name ?? "");
}

function rootName(node: NamedNode | undefined): string {
  if (!node) return "";
  return node.type === "Identifier" ? (node.name ?? "") : rootName(node.object ?? node.callee);
}

/** The file's functions with an expectation, directly or through each other. */
function expectingFunctions(source: Source): Set<string> {
  const own: { name: string; body: Node }[] = [];
  visit(source, {
    FunctionDeclaration: (node) => void (node.id && own.push({ name: node.id.name, body: node })),
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier" && init && /Function/.test(init.type)) own.push({ name: id.name, body: init });
    },
  });
  const expecting = new Set<string>();
  for (let before = -1; before !== expecting.size; ) {
    before = expecting.size;
    for (const { name, body } of own) if (expects(body, expecting)) expecting.add(name);
  }
  return expecting;
}

function expects(body: Node, expecting: Set<string>): boolean {
  let found = false;
  new Visitor({
    CallExpression: ({ callee }) => {
      const { property } = callee as unknown as NamedNode;
      const name = rootName(callee as unknown as NamedNode);
      const isProperty = name === "fc" && property?.name === "assert";
      if (isProperty || /^(expect|assert)/.test(name) || expecting.has(name)) found = true;
    },
  }).visit({ type: "Program", body: [asStatement(body)], start: 0, end: 0, sourceType: "module", hashbang: null } as never);
  return found;
}

function asStatement(node: Node): Node {
  return node.type === "FunctionDeclaration" ? node : ({ type: "ExpressionStatement", expression: node, start: 0, end: 0 } as Node);
}
