import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadFailure } from "#app/shell/load-failure-texts.ts";
import { openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../../tests/support/world.ts";

describe("an admin page whose data can't be loaded", () => {
  let world: World;
  let get: (path: string) => Promise<Response>;
  beforeAll(async () => {
    world = await openWorld();
    const { cookie } = await signIn(world, world.ruth, { reauthenticated: true });
    get = async (path) => openWeb(world).request(path, { headers: { cookie } });
    // A table that only the page reads, not its layouts.
    for (const table of ["counters", "daily_counters", "rules", "audit_log", "page_texts"])
      await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_elsewhere`)}`.execute(world.site.db);
    await sql`alter table reports rename column excerpt to excerpt_elsewhere`.execute(world.site.db);
  });
  afterAll(() => world.close());

  test.each([
    ["/admin", "Failed to load dashboard data"],
    ["/admin/posts?status=active", "Failed to load posts"],
    ["/admin/users", "Failed to load users"],
    ["/admin/messages", "Failed to load messages"],
    ["/admin/analytics", "Failed to load analytics"],
    ["/admin/reports", "Failed to load reports"],
    ["/admin/reports/rules", "Failed to load rules"],
    ["/admin/audit", "Failed to load the audit log"],
    ["/admin/settings/pages", "Failed to load pages"],
    ["/admin/settings/pages/privacy", "Failed to load pages"],
  ])("shows the error of %s: %s", async (path, text) => {
    const answer = await get(path);
    expect(answer.status).toBe(500);
    const page = await answer.text();
    for (const each of [text, "Try Again", "Back to Website"]) expect(page).toContain(each);
    expect(loadFailure(new URL(path, world.site.url).pathname).text).toBe(text);
  });

  test.each(["/admin/messages/nothing-like-it", "/admin/nothing/like-it"])("%s is Page Not Found inside the admin area", async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    const page = await answer.text();
    for (const each of ["Page Not Found", "Back to Website"]) expect(page).toContain(each);
  });
});
