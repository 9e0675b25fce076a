import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listBackups, makeBackup } from "#domain/backups/backups.server.ts";
import { sendBackups } from "#domain/backups/offsite.server.ts";
import { createPost } from "#domain/posts/posts.server.ts";
import { saveSettings } from "#domain/settings/settings.server.ts";
import { type Config, readConfig } from "#platform/config.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { picture } from "../../tests/support/pictures.ts";
import { type RunningS3, startS3 } from "../../tests/support/s3.ts";
import { openWorld, type World } from "../../tests/support/world.ts";
import { readOptions } from "./options.ts";
import { restore } from "./restore.ts";
import { listBackupFiles, listOffsite } from "./source.ts";

const minute = 60_000;

/** A site whose backups go to a bucket, and another machine to restore them on. */
let s3: RunningS3;
let world: World;
let offsite: NonNullable<World["site"]["storageConfig"]["offsite"]>;
let key: string;
let target: Record<string, string>;
beforeAll(async () => {
  s3 = await startS3();
  key = await generateX25519Identity();
});
afterAll(() => s3.close());
beforeEach(async () => {
  offsite = { s3: s3.place(), recipients: [await identityToRecipient(key)] };
  world = await openWorld({ offsite });
  const { site, maren } = world;
  await createPost(site, maren, { title: "Kept", slug: "kept", content: "All of it.", status: "active" }, await picture());
  writeFileSync(join(world.dataDir, "key.txt"), `# created: today\n${key}\n`);
  const { FILES_URL = "", ...keys } = s3.environment(offsite.s3);
  target = {
    SITE_URL: "http://inkstead.test",
    SECRET: "a secret that only the tests know",
    DATA_DIR: join(world.dataDir, "another"),
    BACKUP_S3_URL: FILES_URL,
    BACKUP_RECIPIENT: offsite.recipients.join(),
    ...keys,
  };
});
afterEach(() => world.close());

async function backUp(): Promise<string> {
  const { path } = await makeBackup(world.site, "console");
  await sendBackups(world.site);
  return path;
}

async function restoreFrom(file: string, identity = "key.txt"): Promise<string> {
  let output = "";
  await restore(readOptions([file, "--identity", join(world.dataDir, identity)], target), { write: (text) => (output += text) });
  return output;
}

async function titles(): Promise<string[]> {
  const site = await openSite(readConfig(target), createLog("silent"));
  try {
    return (await site.db.selectFrom("posts").select("title").execute()).map(({ title }) => title);
  } finally {
    await closeSite(site);
  }
}

const newest = async () => (await listBackups(world.site, world.ruth))[0];

describe("an off-site backup", () => {
  test("is restored on another machine with the private key only", async () => {
    const path = await backUp();
    expect(await newest()).toMatchObject({ sentAt: world.site.now(), sendError: null });
    const [stored] = await listOffsite(readConfig(target));
    expect(`${stored?.name}`).toBe(`${path.split("/").at(-1)}.age`);
    expect(stored?.size).toBeGreaterThan(readFileSync(path).byteLength);

    writeFileSync(join(world.dataDir, "other.txt"), await generateX25519Identity());
    await expect(restoreFrom(`s3:${stored?.name}`, "other.txt")).rejects.toThrow("encrypted for a different key");
    await expect(restoreFrom(`s3:${stored?.name}`, "a.txt")).rejects.toThrow(`There is no file ${join(world.dataDir, "a.txt")}.`);
    await expect(restoreFrom("s3:inkstead-never.tar")).rejects.toThrow("There is no backup inkstead-never.tar.age");
    expect(existsSync(target.DATA_DIR as string)).toBe(false);

    expect(await restoreFrom(`s3:${stored?.name}`)).toContain("Everything matches");
    expect(await titles()).toEqual(["Kept"]);
    expect(readdirSync(target.DATA_DIR as string).filter((name) => /age|restoring/.test(name))).toEqual([]);
  });

  test("changes and leaves nothing when it is damaged, truncated or unavailable", async () => {
    const path = await backUp();
    await restoreFrom(path);
    const [stored] = await listOffsite(readConfig(target));
    const object = s3.file(offsite.s3, `${stored?.name}`);
    const bytes = readFileSync(object);
    const filesBefore = readdirSync(target.DATA_DIR as string, { recursive: true }).sort();
    const flipped = (at: number) => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    const damaged = [30, 150, Math.floor(bytes.byteLength / 2), bytes.byteLength - 1].map(flipped);
    const cut = [bytes.subarray(0, 100), bytes.subarray(0, bytes.byteLength / 2), bytes.subarray(0, bytes.byteLength - 1)];
    for (const bytes of [...damaged, ...cut, Buffer.from("A letter.")]) {
      writeFileSync(object, bytes);
      const options = readOptions([`s3:${stored?.name}`, "--overwrite", "--identity", join(world.dataDir, "key.txt")], target);
      await expect(restore(options, { write: () => true })).rejects.toThrow(/can't be read|can't be decrypted|can't decrypt|incomplete/);
    }
    await s3.kill();
    await expect(restoreFrom(`s3:${stored?.name}`)).rejects.toThrow("The off-site backups can't be read. ");
    await s3.start();
    expect(readdirSync(target.DATA_DIR as string, { recursive: true }).sort()).toEqual(filesBefore);
    expect(await titles()).toEqual(["Kept"]);
  });

  test("stays local while the store is down, says why, and is sent when it is back", async () => {
    await s3.kill();
    const { path } = await makeBackup(world.site, "console");
    await expect(sendBackups(world.site)).rejects.toThrow("ECONNREFUSED");
    expect(await newest()).toMatchObject({ state: "good", here: true, sentAt: null, sendError: expect.stringContaining("ECONNREFUSED") });
    await s3.start();
    expect(await sendBackups(world.site)).toEqual([]);
    world.clock.advance(15 * minute);
    expect((await Promise.all([sendBackups(world.site), sendBackups(world.site)])).flat()).toEqual([path]);
    expect(await newest()).toMatchObject({ sentAt: world.site.now(), sendError: null });
    expect(await sendBackups(world.site)).toEqual([]);

    world.site.storageConfig.offsite = { ...offsite, s3: { ...offsite.s3, bucket: "another-bucket" } };
    await makeBackup(world.site, "console");
    await expect(sendBackups(world.site)).rejects.toThrow("The store responded 404");
  });

  test("is sent although a wrong clock postponed it for a year", async () => {
    await s3.kill();
    const { path } = await makeBackup(world.site, "console");
    await expect(sendBackups(world.site)).rejects.toThrow("ECONNREFUSED");
    await s3.start();
    const dueAt = world.site.now() + 365 * 24 * 60 * minute;
    await world.site.db.updateTable("jobs").set({ dueAt }).where("name", "=", "offsite").execute();
    expect(await sendBackups(world.site)).toEqual([path]);
  });

  test("with all files isn't removed for later ones that lack some", async () => {
    await saveSettings(world.site, world.ruth, { backupsKept: 1 });
    const whole = await backUp();
    renameSync(join(world.dataDir, "files"), join(world.dataDir, "not-mounted"));
    world.clock.advance(minute);
    await backUp();
    world.clock.advance(minute);
    const newest = await backUp();
    const names = (await listOffsite(readConfig(target))).map(({ name }) => name);
    expect(names).toEqual([newest, whole].map((path) => `${path.split("/").at(-1)}.age`));
  });

  test("has the same retention as local ones", async () => {
    await saveSettings(world.site, world.ruth, { backupsKept: 2 });
    const names: string[] = [];
    for (let count = 0; count < 3; count++) {
      world.clock.advance(minute);
      names.push(`${(await backUp()).split("/").at(-1)}.age`);
    }
    expect((await listOffsite(readConfig(target))).map(({ name }) => name)).toEqual([names[2], names[1]]);

    const listed = async (config: Config) => {
      const files: string[] = [];
      for await (const { file } of listBackupFiles(config)) files.push(file.replace(world.dataDir, ""));
      return files.sort();
    };
    const config = { ...readConfig(target), dataDir: world.dataDir };
    const here = [names[1], names[2]].map((name) => `/backups/${name?.replace(".age", "")}`);
    expect(await listed(config)).toEqual([...here, `s3:${names[1]}`, `s3:${names[2]}`]);
    expect(await listed({ ...config, offsite: undefined })).toEqual(here);

    const program = join(import.meta.dirname, "..", "restore.ts");
    const list = () =>
      promisify(execFile)(process.execPath, [program, "--list"], { env: { PATH: process.env.PATH, ...target, DATA_DIR: world.dataDir } });
    expect((await list()).stdout.match(/\.tar\b/g)).toHaveLength(4);
    await s3.kill();
    const { stdout, stderr } = (await list().catch((error) => error)) as { stdout: string; stderr: string };
    await s3.start();
    expect(stdout.match(/\.tar\b/g)).toHaveLength(2);
    expect(stderr).toMatch(/^The off-site backups can't be read\. .*\n$/);
    expect(await listed({ ...config, offsite: undefined, dataDir: join(world.dataDir, "none") })).toEqual([]);
  });
});

test("wrong options are reported before anything is done", () => {
  const { BACKUP_S3_URL = "", BACKUP_RECIPIENT = "", ...rest } = target;
  expect(() => readConfig({ ...rest, BACKUP_S3_URL })).toThrow("BACKUP_RECIPIENT is missing");
  expect(() => readConfig({ ...rest, BACKUP_RECIPIENT })).toThrow("BACKUP_S3_URL is missing");
  expect(() => readConfig({ ...rest, BACKUP_RECIPIENT: key, BACKUP_S3_URL })).toThrow(
    /^BACKUP_RECIPIENT must be the public key, which begins with age1\.$/,
  );
  const inFiles = readConfig({ ...rest, BACKUP_RECIPIENT, FILES_URL: "s3://stories?region=eu&prefix=site" });
  expect(inFiles.offsite?.s3).toMatchObject({ bucket: "stories", prefix: "site/backups" });
});
