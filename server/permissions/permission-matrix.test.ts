import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import routes from "#app/routes.ts";
import { type Action, may, permissions } from "#domain/permissions.ts";
import { memberCases } from "../../tests/permissions/member-cases.ts";
import { staffCases } from "../../tests/permissions/staff-cases.ts";
import { closeMatrix, isRefused, openMatrix, roles, viewerOf, visited, world } from "../../tests/permissions/world.ts";

const cases = { ...memberCases, ...staffCases };

beforeAll(openMatrix);
afterAll(closeMatrix);

test(`every row of the table has an endpoint, on ${inject("engine")}`, () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(permissions).sort());
  for (const [action, each] of Object.entries(cases)) expect([action, each.length]).not.toEqual([action, 0]);
});

const rows = Object.entries(cases).flatMap(([action, each]) =>
  each.map((one, index) => [action as Action, `${one.by} (${index + 1})`, one] as const),
);

describe.each(rows)("%s, by %s", (action, _by, { owner, ask, except = [] }) => {
  test.each(roles)("%s", async (who) => {
    const viewer = await viewerOf(who);
    const ownerId = owner === "maren" ? world.maren.id : owner === "self" ? viewer?.id : undefined;
    const expected = may(viewer, action, ownerId) && !except.includes(who);
    expect(!isRefused(await ask(who))).toBe(expected);
  });
});

type Route = { path?: string; children?: Route[] };

test("every address of the admin area has been asked for", () => {
  const admin = (routes as Route[]).find(({ path }) => path === "admin");
  const addresses = (admin?.children ?? []).map(({ path = "" }) => `/admin/${path}`.replace(/\/$/, ""));
  expect(addresses.length).toBeGreaterThan(20);
  const isVisited = (address: string) => {
    const pattern = new RegExp(`^(GET|POST) ${address.replaceAll(/:\w+/g, "[^/]+")}$`);
    return [...visited].some((each) => pattern.test(each));
  };
  expect(addresses.filter((address) => !isVisited(address))).toEqual([]);
});
