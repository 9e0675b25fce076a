import { expect, test } from "vitest";
import { pagePaths, routePatterns } from "./route-patterns.ts";

const patterns = routePatterns();
patterns.add(["/", "/post/:slug", "/post/:slug/delete", "/admin/reports/rules", "/admin/reports/:id", "/*"]);
patterns.add(["/v1/:kind/:id", "/assets/*", "/post/:slug"]);

test.each([
  ["/", "/"],
  ["/_root.data", "other"],
  ["/post/night-bus", "/post/:slug"],
  ["/post/night-bus.data", "/post/:slug"],
  ["/post/night-bus/delete", "/post/:slug/delete"],
  ["/post/night-bus/burn", "other"],
  ["/admin/reports/rules", "/admin/reports/rules"],
  ["/admin/reports/17", "/admin/reports/:id"],
  ["/assets/page-abc.js", "/assets/*"],
  ["/assets/fonts/a.woff2", "/assets/*"],
  ["/v1/a/b/c", "other"],
  ["/wp-login.php", "other"],
])("%s belongs to %s", (path, pattern) => {
  expect(patterns.of(path)).toBe(pattern);
});

test("the path of a page includes those of its parents", () => {
  const route = (id: string, path: string | undefined, parentId?: string) => ({ id, path, parentId, index: false, module: {} });
  const routes = { root: route("root", ""), admin: route("admin", "admin", "root"), posts: route("posts", "posts/:id", "admin") };
  const index = { ...route("index", undefined, "admin"), index: true };
  expect(pagePaths({ routes: { ...routes, index } as never })).toEqual(["/admin", "/admin/posts/:id", "/admin"]);
});
