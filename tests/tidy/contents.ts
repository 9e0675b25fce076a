import { routeModules } from "./imports.ts";
import { folderOf, isTest, lineOf, type Source, visit } from "./source.ts";

const maxLines = 300;

export function longFiles(sources: Source[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > maxLines)
    .map(({ path, lines }) => `${path} has ${lines} lines`);
}

const maxFiles = 30;
/** Folders with one file per story or picture. */
const contentFolders = /^scripts\/demo\/(stories|covers|portraits)(\/|$)/;

export function largeFolders(sources: Source[]): string[] {
  const byFolder = Map.groupBy(sources, ({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  return [...byFolder]
    .filter(([folder, files]) => files.length > maxFiles && !contentFolders.test(folder))
    .map(([, files]) => `${files.at(-1)?.path} is one of ${files.length} files in its folder`);
}

/** Names that fit any content. */
const drawers = /(^|\/)(utils?|utilities|helpers?|common|misc|shared|libs?|functions|stuff)(\/|\.[^/]*$)/;
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(server|client|test|spec|config|d))*\.(tsx?|mjs|mts|css)$/;

export function unclearNames(sources: Source[]): string[] {
  return sources.map(({ path }) => path).filter((path) => drawers.test(path) || !kebab.test(path.slice(path.lastIndexOf("/") + 1)));
}

/** Files that only re-export others. */
export function barrels(sources: Source[]): string[] {
  return sources
    .filter(({ program }) => program.body.length > 0)
    .filter(({ program }) => {
      const imported = new Set<string>();
      return program.body.every((node) => {
        if (node.type === "ImportDeclaration") return node.specifiers.every(({ local }) => imported.add(local.name));
        if (node.type === "ExportAllDeclaration") return true;
        if (node.type !== "ExportNamedDeclaration" || node.declaration) return false;
        return node.source !== null || node.specifiers.every(({ local }) => "name" in local && imported.has(local.name));
      });
    })
    .map(({ path }) => path);
}

/** Default exports that React Router and tools require. */
export function defaultExports(sources: Source[]): string[] {
  const routes = routeModules(sources);
  return sources
    .filter(({ path }) => ["app", "domain", "platform", "server"].includes(folderOf(path)) && !routes.has(path))
    .filter(({ program }) => program.body.some(({ type }) => type === "ExportDefaultDeclaration"))
    .map(({ path }) => path);
}

const databasePackages = /^(kysely|node:sqlite|pg|better-sqlite3)(\/|$)/;
const statement = /\b(select\s.+\sfrom|insert\s+into|update\s.+\sset|delete\s+from)\s/is;
const builders = ["selectFrom", "insertInto", "updateTable", "deleteFrom"];

/** Screens call the domain; they have no SQL. */
export function sqlInApp(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => folderOf(path) === "app" && !isTest(path))
    .flatMap((source) => {
      const found: string[] = [];
      const note = (what: string, offset: number) => found.push(`${source.path}:${lineOf(source, offset)} ${what}`);
      for (const { from } of source.imports) if (databasePackages.test(from)) found.push(`${source.path} imports ${from}`);
      visit(source, {
        TaggedTemplateExpression: ({ tag, start }) => void (tag.type === "Identifier" && tag.name === "sql" && note("sql`…`", start)),
        Literal: ({ value, start }) => void (typeof value === "string" && statement.test(value) && note("holds SQL", start)),
        TemplateElement: ({ value, start }) => void (statement.test(value.raw) && note("holds SQL", start)),
        MemberExpression: ({ property, start }) => {
          if (property.type === "Identifier" && (property.name === "db" || builders.includes(property.name)))
            note(`.${property.name}`, start);
        },
      });
      return found;
    });
}

/** One file reads the environment; the start of the process may pass it on. */
export function environmentReads(sources: Source[]): string[] {
  return sources
    .filter(
      ({ path }) => ["app", "domain", "platform", "server"].includes(folderOf(path)) && !isTest(path) && path !== "platform/config.ts",
    )
    .flatMap((source) => {
      const found: string[] = [];
      const tolerated = source.path === "server/serve.ts" ? /^process\.env(?![.[])/ : /^$/;
      visit(source, {
        MemberExpression: ({ object, property, start }) => {
          const isEnvironment =
            object.type === "Identifier" && object.name === "process" && property.type === "Identifier" && property.name === "env";
          if (isEnvironment && !tolerated.test(source.text.slice(start))) found.push(`${source.path}:${lineOf(source, start)}`);
        },
        ImportDeclaration: ({ source: from, specifiers }) => {
          const takesEnv = specifiers.some(
            (each) => each.type === "ImportSpecifier" && "name" in each.imported && each.imported.name === "env",
          );
          if (/^(node:)?process$/.test(from.value) && takesEnv) found.push(`${source.path} imports env`);
        },
      });
      return found;
    });
}

/** Repeats the call of `requirePermission` below it. */
const echo = /\bwhat the permissions refuse\b/;

/** A verb that throws documents it; the permissions table has the errors of `requirePermission`. */
export function undocumentedErrors(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => folderOf(path) === "domain" && path.endsWith(".server.ts"))
    .flatMap((source) => [
      ...source.comments.filter(({ value }) => echo.test(value)).map(({ start }) => `${source.path}:${lineOf(source, start)}`),
      ...source.program.body.flatMap((node) => {
        if (node.type !== "ExportNamedDeclaration" || node.declaration?.type !== "FunctionDeclaration") return [];
        const { id, params } = node.declaration;
        const first = params[0];
        const isVerb = first !== undefined && /:\s*(Site|SiteTransaction)$/.test(source.text.slice(first.start, first.end));
        const throws = /\bthrow new (?!SignInRequired\b)/.test(source.text.slice(node.start, node.end));
        const isDocumented = source.comments.some(
          ({ value, end }) => value.startsWith("*") && end <= node.start && source.text.slice(end, node.start).trim() === "",
        );
        return isVerb && throws && !isDocumented ? [`${source.path} ${id?.name}`] : [];
      }),
    ]);
}
