import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { may, permissions } from "#domain/permissions.ts";
import type { Viewer } from "#domain/site.ts";
import { accountCases } from "../../tests/permissions/account-cases.ts";
import { documentCases, prepareDocuments } from "../../tests/permissions/document-cases.ts";
import { listEndpoints, openToAll, requestedByAll } from "../../tests/permissions/endpoints.ts";
import { memberCases } from "../../tests/permissions/member-cases.ts";
import { pageCases, preparePages } from "../../tests/permissions/page-cases.ts";
import { staffCases } from "../../tests/permissions/staff-cases.ts";
import {
  type Case,
  closeMatrix,
  isRefused,
  openMatrix,
  type Row,
  roles,
  siteServer,
  viewerOf,
  world,
} from "../../tests/permissions/world.ts";

const cases: Partial<Record<Row, Case[]>> = { ...memberCases, ...staffCases };
for (const [row, more] of [...pageCases, ...documentCases(), ...accountCases]) cases[row] = [...(cases[row] ?? []), ...more];

beforeAll(async () => {
  await openMatrix();
  await prepareDocuments();
  await preparePages();
});
afterAll(closeMatrix);

test(`every row of the table has an endpoint, on ${inject("engine")}`, () => {
  expect(Object.keys(cases).sort()).toEqual([...Object.keys(permissions), "nobody", "only its owner"].sort());
  for (const [row, each] of Object.entries(cases)) expect([row, each.length]).not.toEqual([row, 0]);
});

const rows = Object.entries(cases).flatMap(([row, each]) =>
  each.map((one, index) => [row as Row, `${one.by} (${index + 1})`, one] as const),
);

/** Two people on PostgreSQL, one with nearly all permissions and one with few: a refusal needs no SQL. */
const asking = inject("engine") === "postgres" ? ["owner", "administrator"] : roles;

function mayHere(row: Row, who: string, viewer: Viewer, ownerId: string | undefined): boolean {
  if (row === "nobody") return false;
  return row === "only its owner" ? who === "owner" : may(viewer, row, ownerId);
}

describe.each(rows)("%s, by %s", (row, _by, { owner, ask, except = [] }) => {
  test.each(asking)("%s", async (who) => {
    const viewer = await viewerOf(who);
    const ownerId = owner === "maren" ? world.maren.id : owner === "self" ? viewer?.id : undefined;
    const expected = mayHere(row, who, viewer, ownerId) && !except.includes(who);
    expect(!isRefused(await ask(who))).toBe(expected);
  });
});

test("every endpoint was requested by all people, or is open for a stated reason", async () => {
  const endpoints = await listEndpoints(siteServer.web);
  expect(endpoints.length).toBeGreaterThan(250);
  const requested = requestedByAll(asking, endpoints);
  const open = Object.values(openToAll).flat();
  expect(open.filter((endpoint) => !endpoints.includes(endpoint) || requested.has(endpoint))).toEqual([]);
  expect(endpoints.filter((endpoint) => !requested.has(endpoint) && !open.includes(endpoint))).toEqual([]);
});
