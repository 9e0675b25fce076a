import { pathSegments } from "../path-segments.ts";
import { type RouteClass, routeClasses } from "./table.ts";

type Pattern = { parts: string[]; deep: boolean; row: RouteClass };

const patterns: Pattern[] = Object.values<RouteClass>(routeClasses).flatMap((row) => row.routes.flatMap((route) => patternsOf(route, row)));

/** `{a,b}` matches either. */
function patternsOf(route: string, row: RouteClass): Pattern[] {
  const [all, choices] = /\{([^}]*)\}/.exec(route) ?? [];
  if (all && choices) return choices.split(",").flatMap((choice) => patternsOf(route.replace(all, choice), row));
  const parts = route.split("/").slice(1);
  return parts.at(-1) === "**" ? [{ parts: parts.slice(0, -1), deep: true, row }] : [{ parts, deep: false, row }];
}

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

export function isReadMethod(method: string): boolean {
  return reading.has(method);
}

export function routeClassOf(method: string, path: string): RouteClass {
  const when = isReadMethod(method) ? "reading" : "writing";
  const parts = pathSegments(decoded(path));
  const matches = ({ parts: patternParts, deep, row }: Pattern) =>
    (row.when === when || row.when === "always" || (row.when === "preflight" && method === "OPTIONS")) &&
    (deep ? parts.length >= patternParts.length : parts.length === patternParts.length) &&
    patternParts.every((part, index) => part === "*" || part === parts[index]);
  return patterns.find(matches)?.row ?? routeClasses.writing;
}

/** Decodes a path as the routers do. */
function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Searches cost more than lists. */
export function isSearch(url: string): boolean {
  const start = url.indexOf("?");
  if (start < 0) return false;
  const query = url.slice(start);
  if (/[?&](?:q|find)=[^&]/.test(query)) return true;
  // An encoded name, `%71=`, is one too.
  if (!/[?&][^=&?]*%/.test(query)) return false;
  const parameters = new URLSearchParams(query);
  return ["q", "find"].some((name) => parameters.getAll(name).some(Boolean));
}
