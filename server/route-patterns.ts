import type { ServerBuild } from "react-router";
import { pathSegments } from "./path-segments.ts";

type Pattern = { name: string; parts: string[]; isOpen: boolean };

export type RoutePatterns = { add(names: string[]): void; of(path: string): string };

const other = "other";

/** Finds the route of a path, `/post/:slug` for `/post/night-bus`, so that metrics and tracked errors never show what someone reads. */
export function routePatterns(): RoutePatterns {
  const patterns = new Map<string, Pattern>();
  let sorted: Pattern[] = [];

  function add(names: string[]): void {
    for (const name of names) {
      const parts = pathSegments(name);
      const isOpen = parts.at(-1) === "*";
      patterns.set(name, { name, isOpen, parts: isOpen ? parts.slice(0, -1) : parts });
    }
    // More fixed parts win.
    sorted = [...patterns.values()].sort((a, b) => Number(a.isOpen) - Number(b.isOpen) || countFixedParts(b) - countFixedParts(a));
  }

  function of(path: string): string {
    const parts = pathSegments(path);
    const found = sorted.find((pattern) => matches(pattern, parts))?.name;
    return found === undefined || found === "/*" ? other : found;
  }

  return { add, of };
}

function countFixedParts({ parts }: Pattern): number {
  return parts.filter((part) => !part.startsWith(":")).length;
}

function matches({ parts: patternParts, isOpen }: Pattern, parts: string[]): boolean {
  if (isOpen ? parts.length < patternParts.length : parts.length !== patternParts.length) return false;
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
