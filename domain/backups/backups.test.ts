import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isBackingUp } from "#domain/jobs/lease.server.ts";
import { picture } from "../../tests/support/pictures.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { createPost } from "../posts/posts.server.ts";
import { saveSettings } from "../settings/settings.server.ts";
import { backUpWhenDue, listBackups, makeBackup, openBackup, registerBackups, startBackup, sweepBackups } from "./backups.server.ts";
import { backupFolder } from "./folder.server.ts";
import { testRestore } from "./restore-test.server.ts";

const hour = 60 * 60_000;
/** Each backup is made and restored in a child process. */

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe("backups", () => {
  test("run when due in one process, and the newest are kept", async () => {
    const { site, ruth } = world;
    await saveSettings(site, ruth, { backupsKept: 1 });
    expect(await backUpWhenDue(site)).toBe(false);
    world.clock.advance(hour);
    expect((await Promise.all([backUpWhenDue(site), backUpWhenDue(site)])).toSorted()).toEqual([false, true]);
    expect(await backUpWhenDue(site)).toBe(false);
    world.clock.advance(23 * hour);
    expect(await backUpWhenDue(site)).toBe(false);
    world.clock.advance(hour);
    expect(await backUpWhenDue(site)).toBe(true);
    const backups = await listBackups(site, ruth);
    expect(backups.map(({ state, cause, here }) => ({ state, cause, here }))).toEqual([{ state: "good", cause: "schedule", here: true }]);
    await site.db.deleteFrom("backup_runs").execute();
    await Promise.all([registerBackups(site), registerBackups(site)]);
    const found = await listBackups(site, ruth);
    expect(found.filter(({ archive }) => archive === backups[0]?.archive)).toMatchObject([
      { state: "good", cause: "folder", here: true, report: null, startedAt: backups[0]?.startedAt },
    ]);
    backups.splice(0, 1, ...found.filter(({ archive }) => archive === backups[0]?.archive));
    const { size, stream } = await openBackup(site, ruth, backups[0]?.id ?? "");
    expect(size).toBe(backups[0]?.size);
    stream.destroy();
    // An excess backup on another machine must be removed by that machine.
    await site.db
      .updateTable("backup_runs")
      .set({ host: "elsewhere", archive: "inkstead-elsewhere.tar", startedAt: site.now() - hour })
      .execute();
    await makeBackup(site, "console");
    expect(await listBackups(site, ruth)).toHaveLength(2);
    world.clock.advance(366 * 24 * hour);
    await sweepBackups(site);
    expect(await listBackups(site, ruth)).toMatchObject([{ here: true }]);
    await saveSettings(site, ruth, { backupEvery: 0, backupsKept: 7 });
    world.clock.advance(100 * hour);
    expect(await backUpWhenDue(site)).toBe(false);
  });

  test("are retried an hour after a failure, and made when a shorter interval is set", async () => {
    const { site, ruth } = world;
    await saveSettings(site, ruth, { backupEvery: 24 });
    const broken = { ...site, storageConfig: { ...site.storageConfig, s3: undefined, dataDir: join(world.dataDir, "no-folder") } };
    writeFileSync(broken.storageConfig.dataDir, "a file where the folder should be");
    world.clock.advance(1000 * hour);
    await expect(backUpWhenDue(broken)).rejects.toThrow();
    expect(await backUpWhenDue(site)).toBe(false);
    world.clock.advance(hour);
    expect(await backUpWhenDue(site)).toBe(true);
    world.clock.advance(hour);
    expect(await backUpWhenDue(site)).toBe(false);
    await saveSettings(site, ruth, { backupEvery: 168 });
    world.clock.advance(23 * hour);
    expect(await backUpWhenDue(site)).toBe(true);
    await saveSettings(site, ruth, { backupEvery: 6 });
    expect(await backUpWhenDue(site)).toBe(true);
    expect(await backUpWhenDue(site)).toBe(false);
    world.clock.advance(hour);
  });

  test("run one at a time; a failed one reports its reason and cleans up", async () => {
    const { site, ruth } = world;
    await startBackup(site, ruth);
    await expect(startBackup(site, ruth)).rejects.toMatchObject({ code: "conflict" });
    await expect.poll(async () => (await listBackups(site, ruth))[0]?.state, { timeout: 90_000 }).toBe("good");
    const nowhere = { ...site, storageConfig: { ...site.storageConfig, s3: undefined, dataDir: join(world.dataDir, "a-file") } };
    writeFileSync(nowhere.storageConfig.dataDir, "a file where the folder should be");
    await expect(makeBackup(nowhere, "console")).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect((await listBackups(site, ruth))[0]).toMatchObject({ state: "failed", error: expect.stringMatching(/ENOTDIR|EEXIST/) });
    await expect(startBackup(site, world.maren)).rejects.toMatchObject({ code: "not-allowed" });
    await expect(listBackups(site, null)).rejects.toMatchObject({ code: "sign-in-required" });
    await expect(openBackup(site, world.maren, "1")).rejects.toMatchObject({ code: "not-allowed" });
  });

  test("run after a lease that a wrong clock dated years ahead", async () => {
    const { site } = world;
    const lease = { holder: "a killed process", heldUntil: site.now() + 10_000 * hour };
    await site.db.updateTable("jobs").set(lease).where("name", "=", "backups").execute();
    expect(await isBackingUp(site)).toBe(false);
    await makeBackup(site, "console");
  });

  test("are never removed for later ones that lack files", async () => {
    const { site, ruth, maren } = world;
    await saveSettings(site, ruth, { backupsKept: 1 });
    await createPost(site, maren, { title: "Kept", slug: "kept", content: "All of it.", status: "active" }, await picture());
    world.clock.advance(hour);
    const whole = await makeBackup(site, "console");
    const errors: unknown[] = [];
    const watched = { ...site, log: Object.assign(Object.create(site.log), { error: (fields: unknown) => errors.push(fields) }) };
    const archives = async () => (await listBackups(site, ruth)).filter(({ state }) => state === "good").map(({ archive }) => archive);
    const [files, away] = [join(world.dataDir, "files"), join(world.dataDir, "not-mounted")];
    renameSync(files, away);
    world.clock.advance(hour);
    await makeBackup(watched, "console");
    world.clock.advance(hour);
    const newest = await makeBackup(watched, "console");
    expect(newest.report.missing.count).toBe(1);
    expect(await archives()).toEqual([newest, whole].map(({ path }) => basename(path)));
    expect(errors).toMatchObject([{ err: expect.any(Error), missing: newest.report.missing }]);
    rmSync(files, { recursive: true, force: true });
    renameSync(away, files);
    world.clock.advance(hour);
    const repaired = await makeBackup(watched, "console");
    expect(await archives()).toEqual([basename(repaired.path)]);
    expect(errors).toHaveLength(1);
  });

  test("that fail for two days are reported to administrators, once a week", async () => {
    const { site, ruth } = world;
    await saveSettings(site, ruth, { backupEvery: 24 });
    world.clock.advance(1000 * hour);
    await makeBackup(site, "console");
    world.emails.length = 0;
    const broken = { ...site, storageConfig: { ...site.storageConfig, s3: undefined, dataDir: join(world.dataDir, "full") } };
    writeFileSync(broken.storageConfig.dataDir, "a file where the folder should be");
    const emails = () => world.emails.filter(({ subject }) => subject.startsWith("Backups are failing"));
    const pass = async (count: number) => {
      for (let passed = 0; passed < count; passed++) {
        world.clock.advance(hour);
        await backUpWhenDue(broken).catch(() => {});
      }
    };
    await pass(47);
    expect(emails()).toEqual([]);
    await pass(25);
    expect(emails().map(({ to }) => to)).toEqual([ruth.email]);
    expect(emails()[0]?.text).toMatch(/have failed since .+ The newest good backup is from .+ this reason:\n\n(ENOTDIR|EEXIST)/);
    expect(emails()[0]?.text).toContain("http://inkstead.test/admin/database");
    await pass(6 * 24);
    expect(emails()).toHaveLength(2);
    await makeBackup(site, "console");
    await pass(47);
    expect(emails()).toHaveLength(2);
  });

  test("are unaffected by an older archive that can't be removed, and by one that can't be read", async () => {
    const { site, ruth } = world;
    await saveSettings(site, ruth, { backupsKept: 1 });
    await site.db.deleteFrom("backup_runs").execute();
    const { path } = await makeBackup(site, "console");
    await site.db
      .updateTable("backup_runs")
      .set({ archive: "inkstead-old.tar", startedAt: site.now() - hour })
      .execute();
    rmSync(path);
    mkdirSync(join(backupFolder(site), "inkstead-old.tar"));
    const newest = await makeBackup(site, "console");
    expect((await listBackups(site, ruth))[0]).toMatchObject({ state: "good", archive: basename(newest.path) });
    writeFileSync(join(backupFolder(site), "inkstead-0.tar"), "not an archive");
    await site.db.deleteFrom("backup_runs").execute();
    await registerBackups(site);
    const archives = (await listBackups(site, ruth)).map(({ archive }) => archive);
    expect(archives).toContain(basename(newest.path));
    expect(archives).not.toContain("inkstead-0.tar");
  });

  test("made by an older version are compared in that version's tables", async () => {
    const { storageConfig, engine } = world.site;
    const scratch = join(world.dataDir, "older");
    const { tables, on } = await testRestore("tests/databases/first-release.tar", storageConfig, scratch, () => {});
    expect([on, tables.departed]).toEqual([engine, expect.any(Number)]);
  });
});
