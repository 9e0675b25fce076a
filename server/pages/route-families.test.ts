import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";
import { routeFamilies } from "./route-families.ts";

const route = (id: string, path?: string, parentId: string | undefined = "root") => ({ id, path, parentId, module: {} });
const routes = Object.fromEntries(
  [
    { ...route("root", ""), parentId: undefined },
    route("home"),
    route("story", "post/:slug"),
    route("delete", "post/:slug/delete"),
    route("admin", "admin"),
    route("dashboard", undefined, "admin"),
    route("member", "users/:id", "admin"),
    route("layout"),
    route("login", "login", "layout"),
    route("nothing", "*"),
  ].map((each) => [each.id, each]),
) as unknown as ServerBuild["routes"];
const familyOf = routeFamilies(routes);

test.each([
  ["/", ["root", "home", "layout", "nothing"]],
  ["/login", ["root", "layout", "login", "nothing"]],
  ["/post", ["root", "story", "delete", "nothing"]],
  ["/Post/night-bus", ["root", "story", "delete", "nothing"]],
  ["/post/night-bus/delete.data", ["root", "story", "delete", "nothing"]],
  ["/admin/users/7", ["root", "admin", "dashboard", "member", "nothing"]],
  ["/admin.data", ["root", "admin", "dashboard", "member", "nothing"]],
  ["/%70ost/night-bus", undefined],
  ["/_root.data", undefined],
  ["/wp-login.php", undefined],
  ["/*", undefined],
])("%s can belong to %j", (path, ids) => {
  const found = familyOf(path)?.routes;
  expect(found && Object.keys(found)).toEqual(ids);
});
