import { afterAll, beforeAll, expect, test } from "vitest";
import { passkeyToRemove } from "../../tests/permissions/account-cases.ts";
import { listPages } from "../../tests/permissions/endpoints.ts";
import { preparePages } from "../../tests/permissions/page-cases.ts";
import { closeMatrix, extra, ids, openMatrix, page } from "../../tests/permissions/world.ts";

let passkeyPath: string;
beforeAll(async () => {
  await openMatrix();
  await preparePages();
  passkeyPath = await passkeyToRemove();
});
afterAll(closeMatrix);

/** Screens that redirect without a token or a pending step. */
const redirecting = [
  "/login/code",
  "/account/email",
  "/account/not-me",
  "/reset-password/review",
  "/admin/verify",
  "/unsubscribe",
  "/post",
  "/setup",
];
const forVisitors = /^\/(login|signup|forgot-password|reset-password|subscribe|verify-email)\b/;

/** A viewer who may see the screen, and its URL. */
function visitOf(route: string): [who: string, address: string] {
  const of = (id: string | undefined) => route.replace(/:\w+/, String(id));
  if (route.startsWith("/admin/users")) return ["administrator", of(extra.id)];
  if (route.startsWith("/admin/messages")) return ["administrator", of(ids.message)];
  if (route.startsWith("/admin/reports/rules")) return ["administrator", of("new")];
  if (route.startsWith("/admin/reports")) return ["administrator", of(ids["message report"])];
  if (route.startsWith("/admin/webhooks")) return ["administrator", of("new")];
  if (route.startsWith("/admin/files")) return ["administrator", of(ids.file)];
  if (route.startsWith("/admin/settings")) return ["administrator", of("privacy")];
  if (route.startsWith("/admin")) return ["administrator", of(ids.pub)];
  if (route.startsWith("/account/passkeys/")) return ["owner", passkeyPath];
  if (route.startsWith("/notices")) return ["suspended", of("suspending")];
  if (route.startsWith("/drafts")) return ["owner", of(ids.copy)];
  if (route === "/report") return ["member", `/report?kind=post&id=${ids.pub}`];
  if (route.endsWith("/publish")) return ["owner", of(ids.draft)];
  if (route.includes(":userId")) return ["owner", of(extra.id)];
  return [forVisitors.test(route) ? "visitor" : "owner", of(ids.pub)];
}

test("every screen has exactly one first-level heading", async () => {
  const routes = [...new Set((await listPages()).filter(({ screen }) => screen).map(({ path }) => path))];
  expect(routes.length).toBeGreaterThan(60);
  const visits = [["visitor", "/"] as const, ...routes.filter((route) => !redirecting.includes(route)).map(visitOf)];
  const found: Record<string, unknown> = {};
  for (const [who, address] of visits) {
    const response = await page(() => address)(who);
    const headings = (await response.text()).match(/<h1[\s>]/g)?.length ?? 0;
    const isThere = response.status === 200 || /\/(404|\*)$/.test(address);
    if (!isThere || headings !== 1) found[`${address} as ${who}`] = { status: response.status, headings };
  }
  expect(found).toEqual({});
});
