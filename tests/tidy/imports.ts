import { folderOf, isTest, type Source, visit } from "./source.ts";

/** Folders that each folder may import, besides itself. */
const allowed: Record<string, string[]> = {
  app: ["domain"],
  domain: ["platform"],
  platform: [],
  server: ["app", "domain", "platform"],
  scripts: ["app", "domain", "platform", "server", "tests"],
  bench: ["app", "domain", "platform", "server", "scripts", "tests"],
  prove: ["app", "domain", "platform", "server", "scripts", "tests", "bench"],
};

/** Pure functions that every folder may import. */
const shared = ["platform/time.ts"];

/** app → domain → platform; server → all; only scripts and tests import server. */
export function importDirection(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => !isTest(path) && folderOf(path) !== "")
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target !== undefined && !isTypegen(target) && !shared.includes(target))
        .map(({ target = "" }) => folderOf(target))
        .filter((folder) => folder !== folderOf(path) && folder !== "build" && !allowed[folderOf(path)]?.includes(folder))
        .map((folder) => `${path} imports ${folder}`),
    );
}

function isTypegen(target: string): boolean {
  return target.includes("/+types/") || target.startsWith("+types/");
}

const named = ["app", "domain", "platform", "server"];

/** Imports of other folders use `#name/…`, not `../`. */
export function relativeImports(sources: Source[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ from, target = "" }) => from.startsWith("..") && folderOf(target) !== folderOf(path) && named.includes(folderOf(target)))
      .map(({ from }) => `${path} imports ${from}`),
  );
}

/** Context keys are compared by identity, and a second specifier could load them twice. */
export function contextKeys(sources: Source[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ from, target }) => target === "app/context.ts" && from !== "#app/context.ts")
      .map(({ from }) => `${path} imports ${from}`),
  );
}

/** A page has a hundred links and icons, and the libraries' own cost more than the rest of it (docs/decisions/0037-signed-in-pages.md). */
export function libraryComponents(sources: Source[]): string[] {
  const theirs = /\{[^}]*\b(?:Link|NavLink)\b[^}]*\} from "react-router"|from "lucide-react"/;
  return sources.filter(({ path, text }) => path.startsWith("app/") && theirs.test(text)).map(({ path }) => path);
}

/** No import cycles, including type imports. */
export function cycles(sources: Source[]): string[] {
  const edges = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ dynamic, target }) => !dynamic && target).map(({ target = "" }) => target),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, way: string[]) => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(" → "));
    else if (!done.has(path)) for (const next of edges.get(path) ?? []) walk(next, [...way, path]);
    done.add(path);
  };
  for (const path of edges.keys()) walk(path, []);
  return found;
}

/** Publishing, its rules and moderation use each other; all other nouns of the domain form no ring. */
const mayRing = ["posts", "moderation", "rules"];

/** Import cycles between folders of the domain, without type imports. */
export function folderCycles(sources: Source[]): string[] {
  const needs = sources
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ typeOnly }) => !typeOnly)
        .map(({ target = "" }) => ({ path, target, from: nounOf(path), to: nounOf(target) }))
        .filter(({ from, to }) => from !== undefined && to !== undefined && from !== to),
    );
  const others = Map.groupBy(needs, ({ from }) => from);
  const reach = (noun: string | undefined, seen = new Set<string | undefined>()) => {
    for (const { to } of others.get(noun) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      reach(to, seen);
    }
    return seen;
  };
  return needs
    .filter(({ from, to }) => !(mayRing.includes(from ?? "") && mayRing.includes(to ?? "")) && reach(to).has(from))
    .map(({ path, target }) => `${path} needs ${target}, which needs it`);
}

/** `posts` of `domain/posts/posts.server.ts`; undefined for files outside a noun's folder. */
function nounOf(path: string): string | undefined {
  return /^domain\/([^/]+)\//.exec(path)?.[1];
}

/** A frozen migration imports only frozen code. */
export function migrationImports(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith("platform/database/migrations/") && !path.endsWith("/step.ts") && !isTest(path))
    .flatMap(({ path, imports }) =>
      imports.filter(({ from }) => !/^\.\/|^\.\.\/step\.ts$/.test(from)).map(({ from }) => `${path} imports ${from}`),
    );
}

/**
 * Server modules are imported by route modules, whose loaders and actions the build removes from the browser's bundle, or by other code
 * without markup; never by a component.
 */
export function serverOnly(sources: Source[]): string[] {
  const routes = routeModules(sources);
  const serverCode = new Set(sources.map(({ path }) => path).filter(isServerOnly));
  const inApp = sources.filter(({ path }) => folderOf(path) === "app" && !isTest(path));
  const reaches = ({ imports }: Source) =>
    imports.filter(({ typeOnly, target }) => !typeOnly && target !== undefined && (isServerOnly(target) || serverCode.has(target)));
  for (let before = -1; before !== serverCode.size; ) {
    before = serverCode.size;
    for (const source of inApp) {
      const isPlain = source.path.endsWith(".ts") && !routes.has(source.path);
      if (isPlain && reaches(source).length > 0) serverCode.add(source.path);
    }
  }
  return inApp
    .filter(({ path }) => path.endsWith(".tsx") && !isServerOnly(path) && !routes.has(path))
    .flatMap((source) => reaches(source).map(({ from }) => `${source.path} imports ${from}`));
}

function isServerOnly(path: string): boolean {
  return /\.server\.tsx?$/.test(path);
}

/** The files in routes.ts, the root and the entries. */
export function routeModules(sources: Source[]): Set<string> {
  const routes = new Set(["app/root.tsx", "app/entry.server.tsx", "app/routes.ts"]);
  const map = sources.find(({ path }) => path === "app/routes.ts");
  if (map) {
    visit(map, {
      Literal: ({ value }) => {
        if (typeof value === "string" && /\.tsx?$/.test(value)) routes.add(`app/${value}`);
      },
    });
  }
  return routes;
}
