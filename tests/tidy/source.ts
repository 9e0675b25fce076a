import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync, Visitor, type Visitor as VisitorType } from "vite";

type Parsed = ReturnType<typeof parseSync>;

export type Import = {
  /** As written: `#domain/site.ts`. */
  from: string;
  /** The imported file from the project's root; undefined for a package. */
  target: string | undefined;
  /** A type import. */
  typeOnly: boolean;
  /** `import(…)`. */
  dynamic: boolean;
};

/** A parsed source file. */
export type Source = { path: string; text: string; imports: Import[]; program: Parsed["program"]; comments: Parsed["comments"] };

const folders = ["app", "domain", "platform", "server", "scripts", "tests", "bench", "prove"];
const code = /\.(tsx?|mjs|mts|css)$/;

export function readProject(root: string): Source[] {
  const beside = readdirSync(root).filter((name) => /\.ts$/.test(name));
  const below = folders.flatMap((folder) => list(root, folder));
  return [...below, ...beside].map((path) => readSource(path, readFileSync(join(root, path), "utf8")));
}

function list(root: string, folder: string): string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true })
      .map((path) => join(folder, String(path)))
      .filter((path) => code.test(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

export function readSource(path: string, text: string): Source {
  const isCode = !path.endsWith(".css");
  const { program, comments, errors } = parseSync(path.replace(/\.css$/, ".ts"), isCode ? text : "");
  if (errors.length > 0) throw new Error(`${path} can't be read: ${errors[0]?.message}`);
  const source: Source = { path, text, imports: [], program, comments };
  const add = (from: string, typeOnly: boolean, dynamic: boolean) =>
    source.imports.push({ from, target: targetOf(path, from), typeOnly, dynamic });
  visit(source, {
    ImportDeclaration: (node) => {
      const namesTypes = node.specifiers.map((each) => each.type === "ImportSpecifier" && each.importKind === "type");
      add(node.source.value, node.importKind === "type" || (namesTypes.length > 0 && namesTypes.every(Boolean)), false);
    },
    ExportNamedDeclaration: (node) => node.source && add(node.source.value, node.exportKind === "type", false),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind === "type", false),
    ImportExpression: (node) => node.source.type === "Literal" && add(String(node.source.value), false, true),
    TSImportType: (node) => add(String(node.source.value), true, false),
  });
  return source;
}

function targetOf(path: string, from: string): string | undefined {
  if (from.startsWith("#")) return from.slice(1);
  return from.startsWith(".") ? normalize(join(dirname(path), from)) : undefined;
}

/** Calls a function for every node of a type. */
export function visit(source: { program: Parsed["program"] }, calls: ConstructorParameters<typeof VisitorType>[0]): void {
  new Visitor(calls).visit(source.program);
}

/** `app` of `app/posts/post-page.tsx`; empty for files in the root. */
export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}

export function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path) || path.startsWith("tests/");
}

export function lineOf({ text }: Source, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
