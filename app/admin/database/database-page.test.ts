import { afterEach, beforeEach, expect, test } from "vitest";
import { saveSettings } from "#domain/settings/settings.server.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { openPage } from "../../../tests/support/pages.ts";
import { formPost, openWeb } from "../../../tests/support/web.ts";
import { openWorld, signIn, type World } from "../../../tests/support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

test("the database page shows the running version to administrators only", async () => {
  const { version } = packageJson;
  expect((await openPage(world, "/admin/database", { as: world.ruth })).text).toContain(`Version ${version} · `);
  for (const path of ["/", "/healthz", "/readyz", "/v1/ping"]) {
    const { html, response } = await openPage(world, path);
    expect(html + JSON.stringify([...response.headers])).not.toContain(version);
  }
});

test("the database page says when backups are overdue", async () => {
  const text = async () => (await openPage(world, "/admin/database", { as: world.ruth })).text;
  expect(await text()).toContain("No restore-tested backup yet");
  const report = { tables: {}, files: { count: 0, bytes: 0 }, missing: { count: 0, first: [] }, testedOn: "sqlite", seconds: 1 };
  const run = { id: "one", kind: "backup", cause: "schedule", userId: null, state: "good", phase: "Done", done: 1, total: 1, host: "here" };
  const startedAt = world.site.now();
  const row = { ...run, startedAt, finishedAt: startedAt, archive: null, size: 1, report: JSON.stringify(report) };
  await world.site.db
    .insertInto("backup_runs")
    .values(row as never)
    .execute();
  expect(await text()).not.toContain("Backups are overdue.");
  world.clock.advance(3 * 24 * 60 * 60_000);
  expect(await text()).toContain("Backups are overdue.");
});

test("the database page warns when the newest backup lacks files", async () => {
  const shield = async () => {
    const { html } = await openPage(world, "/admin/database", { as: world.ruth });
    return /aria-label="Last backup".*?<svg[^>]*class="[^"]*(text-\w+)"/s.exec(html)?.[1];
  };
  const report = {
    tables: {},
    files: { count: 9, bytes: 9 },
    missing: { count: 0, first: [] as string[] },
    testedOn: "sqlite",
    testedAt: 1,
  };
  const run = { id: "one", kind: "backup", cause: "schedule", state: "good", phase: "Done", done: 1, total: 1, host: "here" };
  const row = { ...run, startedAt: world.site.now(), size: 1, report: JSON.stringify(report) };
  await world.site.db
    .insertInto("backup_runs")
    .values(row as never)
    .execute();
  expect(await shield()).toBe("text-success");
  report.missing = { count: 9, first: ["a-picture/original"] };
  await world.site.db
    .updateTable("backup_runs")
    .set({ report: JSON.stringify(report) })
    .execute();
  expect(await shield()).toBe("text-warning");
});

test("the database page says whether backups are stored off-site", async () => {
  const text = async () => (await openPage(world, "/admin/database", { as: world.ruth })).text;
  expect(await text()).toContain("Backups stay on this machine.");
  const credentials = { accessKeyId: "key", secretAccessKey: "word" };
  const s3 = { bucket: "far-away", endpoint: undefined, region: "eu", pathStyle: true, checksums: false, prefix: "stories", credentials };
  world.site.storageConfig.offsite = { recipients: [], s3 };
  expect(await text()).toContain("No backup has been sent to s3://far-away/stories yet.");
  const run = { id: "one", kind: "backup", cause: "schedule", state: "good", phase: "Done", done: 1, total: 1, host: "here" };
  const startedAt = world.site.now();
  await world.site.db
    .insertInto("backup_runs")
    .values({ ...run, startedAt, sendError: "The store is closed." } as never)
    .execute();
  expect(await text()).toContain("We couldn’t send the newest backup off-site. We’ll try again every 15 minutes");
  await world.site.db.updateTable("backup_runs").set({ sentAt: startedAt, sendError: null }).execute();
  expect(await text()).toMatch(/Last sent off-site, encrypted: .*, to s3:\/\/far-away\/stories\./);
  expect(await text()).not.toContain("couldn’t be sent");
});

test("backup settings that someone else changed meanwhile are not overwritten", async () => {
  const { site, ruth } = world;
  const { cookie } = await signIn(world, ruth, { reauthenticated: true });
  const post = (fields: Record<string, string>) =>
    openWeb(world).request("/admin/database", formPost({ do: "settings", ...fields }, { cookie }));
  const { html } = await openPage(world, "/admin/database", { as: ruth });
  const seen = Object.fromEntries(Array.from(html.matchAll(/name="(seen \w+)" value="(\d+)"/g), ([, name, value]) => [name, value]));
  await saveSettings(site, ruth, { backupEvery: 6 });
  const refused = await post({ ...seen, backupEvery: "24", backupsKept: "3" });
  expect([refused.status, site.settings.backupEvery]).toEqual([409, 6]);
  expect(await refused.text()).toContain("Someone else changed the backup settings.");
  expect((await post({ ...seen, "seen backupEvery": "6", backupEvery: "24", backupsKept: "3" })).status).toBe(302);
  expect(site.settings).toMatchObject({ backupEvery: 24, backupsKept: 3 });
});
