import type { Hono } from "hono";
import type { ServerBuild } from "react-router";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Web } from "#server/http.ts";
import type { PersonName } from "../../tests/support/people.ts";
import { formPost, openWeb } from "../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../tests/support/world.ts";

const pages = new URL("../../build/server/index.js", import.meta.url);
const { routes } = (await import(/* @vite-ignore */ pages.href)) as ServerBuild;

/** Every address under /admin in the built site with its route's id; `:id` is a parameter. */
const adminPaths = Object.values(routes)
  .filter((route) => route !== undefined)
  .map(({ id }) => ({ id, path: pathOf(id) }))
  .filter(({ path }) => path === "/admin" || path.startsWith("/admin/"));

function pathOf(id: string): string {
  const parts: string[] = [];
  for (let route = routes[id]; route; route = routes[route.parentId ?? ""]) if (route.path) parts.unshift(route.path);
  return `/${parts.join("/")}`.replaceAll(/:\w+\??/g, "night-bus");
}

const requests: Record<string, (path: string, cookie: string) => [string, RequestInit]> = {
  page: (path, cookie) => [path, { headers: { cookie } }],
  data: (path, cookie) => [`${path}.data`, { headers: { cookie } }],
  form: (path, cookie) => [path, formPost({ maintenanceMode: "on" }, { cookie })],
  "scripted form": (path, cookie) => [`${path}.data`, formPost({ maintenanceMode: "on" }, { cookie })],
};

describe("the admin area", () => {
  let world: World;
  let web: Hono<Web>;
  const cookies: Partial<Record<PersonName | "nobody", string>> = { nobody: "" };
  beforeAll(async () => {
    world = await openWorld();
    web = openWeb(world);
    for (const name of ["maren", "salma", "ruth"] as const) cookies[name] = (await signIn(world, world[name])).cookie;
  });
  afterAll(() => world.close());

  const ask = (kind: string, path: string, who: keyof typeof cookies) =>
    web.request(...(requests[kind] as (typeof requests)[string])(path, cookies[who] ?? ""));

  test("is in one folder, which is guarded", () => {
    expect(adminPaths.length).toBeGreaterThan(2);
    expect(adminPaths.filter(({ id }) => !id.startsWith("admin/"))).toEqual([]);
    const outside = Object.keys(routes).filter((id) => id.startsWith("admin/") && !adminPaths.some((each) => each.id === id));
    expect(outside).toEqual([]);
  });

  describe.each(adminPaths)("$path ($id)", ({ id, path }) => {
    const { loader, action } = routes[id]?.module ?? {};
    const kinds = [loader ? ["page", "data"] : [], action ? ["form", "scripted form"] : []].flat();

    test("has a loader or an action to guard", () => {
      expect(kinds).not.toEqual([]);
    });

    test.each(kinds.flatMap((kind) => (["nobody", "salma", "maren"] as const).map((who) => [kind, who] as const)))(
      "its %s leads %s home",
      async (kind, who) => {
        const answer = await ask(kind, path, who);
        if (answer.status === 302) return expect(answer.headers.get("location")).toBe("/");
        // How data requests redirect.
        expect(answer.status).toBe(202);
        expect(await answer.text()).toMatch(/"redirect","\/"/);
      },
    );

    test.each(kinds)("its %s does not redirect an administrator", async (kind) => {
      const answer = await ask(kind, path, "ruth");
      expect(answer.status).toBeLessThan(500);
      expect(answer.headers.get("location")).not.toBe("/");
    });
  });

  test("others changed nothing", () => {
    expect(world.site.settings.maintenanceMode).toBe(false);
  });
});
