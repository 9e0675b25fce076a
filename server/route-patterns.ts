import type { ServerBuild } from "react-router";
import { pathSegments } from "./path-segments.ts";

type Pattern = { name: string; parts: string[] };

export type RoutePatterns = { add(names: string[]): void; of(path: string): string };

const other = "other";

/** Finds the route of a path, `/post/:slug` for `/post/night-bus`, so that metrics and faults never show what someone reads. */
export function routePatterns(): RoutePatterns {
  const known = new Set<string>();
  const exact = new Map<string, string>();
  const byLength = new Map<number, Pattern[]>();
  const open: Pattern[] = [];

  function add(names: string[]): void {
    for (const name of names) {
      if (known.has(name)) continue;
      known.add(name);
      const parts = pathSegments(name);
      if (parts.at(-1) === "*") open.push({ name, parts: parts.slice(0, -1) });
      else if (!name.includes(":")) exact.set(parts.join("/"), name);
      else byLength.set(parts.length, [...(byLength.get(parts.length) ?? []), { name, parts }]);
    }
    // More fixed parts win.
    for (const patterns of [...byLength.values(), open]) patterns.sort((a, b) => countFixedParts(b) - countFixedParts(a));
  }

  function of(path: string): string {
    const parts = pathSegments(path);
    const found =
      exact.get(parts.join("/")) ??
      byLength.get(parts.length)?.find((pattern) => matches(pattern, parts))?.name ??
      open.find((pattern) => parts.length >= pattern.parts.length && matches(pattern, parts))?.name;
    return found === undefined || found === "/*" ? other : found;
  }

  return { add, of };
}

function countFixedParts({ parts }: Pattern): number {
  return parts.filter((part) => !part.startsWith(":")).length;
}

function matches({ parts: patternParts }: Pattern, parts: string[]): boolean {
  return patternParts.every((part, index) => part.startsWith(":") || part === parts[index]);
}

export function pagePaths({ routes }: Pick<ServerBuild, "routes">): string[] {
  const pathOf = (id: string): string => {
    const route = routes[id];
    return route ? `${route.parentId ? pathOf(route.parentId) : ""}/${route.path ?? ""}`.replaceAll(/\/+/g, "/") : "";
  };
  return Object.keys(routes)
    .filter((id) => id !== "root")
    .map((id) => pathOf(id).replace(/(?<=.)\/$/, ""));
}
