import type { ServerBuild } from "react-router";
import { pathSegments } from "../path-segments.ts";

type Routes = ServerBuild["routes"];
type Route = NonNullable<Routes[string]>;

/**
 * Groups routes by their first path segment, since the router tries all routes for each page, twice. Undefined for an address without a
 * group, which may match any route.
 */
export function routeFamilies(routes: Routes): (path: string) => { name: string; routes: Routes } | undefined {
  const { root, ...others } = routes;
  const ancestorsOf = (route: Route): Route[] => {
    const parent = route.parentId === "root" ? undefined : routes[route.parentId ?? ""];
    return parent ? [...ancestorsOf(parent), parent] : [];
  };
  const withAncestors = (route: Route) => [...ancestorsOf(route), route];
  const families = Map.groupBy(
    Object.values(others).filter((route) => route !== undefined),
    (route) => withAncestors(route).flatMap(({ path }) => pathSegments(path ?? ""))[0] ?? "",
  );
  const isDynamic = (name: string) => name === "*" || name.startsWith(":");
  const dynamicRoutes = [...families].flatMap(([name, members]) => (isDynamic(name) ? members : []));
  const byName = new Map<string, Routes>();
  for (const [name, members] of families)
    if (!isDynamic(name)) {
      const family = [...members.flatMap(withAncestors), ...dynamicRoutes];
      byName.set(name, { root, ...Object.fromEntries(family.map((route) => [route.id, route])) });
    }
  return (path) => {
    const name = pathSegments(path)[0] ?? "";
    const family = byName.get(name);
    return family && { name, routes: family };
  };
}
