import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readOptions } from "./options.ts";
import { restoreCommand, update } from "./update.ts";

let base: string;
let folder: string;
let lines: string[];
let done: string[];
/** The version in the folder. */
const version = () => readFileSync(join(folder, "version"), "utf8");
const identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com", "-c", "commit.gpgsign=false"];
const git = (where: string, ...args: string[]) =>
  execFileSync("git", [...identity, ...args], { cwd: where, encoding: "utf8", stdio: "pipe" });
const publish = (name: string, where = join(base, "origin")) => {
  writeFileSync(join(where, "version"), name);
  git(where, "add", ".");
  git(where, "commit", "--quiet", "-m", name);
};

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "inkstead-update-"));
  folder = join(base, "site");
  git(base, "init", "--quiet", "--initial-branch=main", "origin");
  publish("one");
  git(base, "clone", "--quiet", "origin", "site");
  [lines, done] = [[], []];
});
afterEach(() => rmSync(base, { recursive: true }));

const url = "http://127.0.0.1:3001/readyz";
type Failing = { backUp?: boolean; build?: string; restart?: string; ready?: boolean; built?: boolean };
/** Each step records the version that it ran on. The named ones fail. */
const run = ({ backUp = false, build, restart, ready = true, built = true }: Failing = {}, restarts = true) => {
  const step = (name: string, fails: () => boolean) => async () => {
    done.push(`${name} ${version()}`);
    return !fails();
  };
  const steps = {
    backUp: step("backup", () => backUp),
    isBuilt: () => built,
    build: step("build", () => version() === build),
    restoreCommand: restoreCommand(undefined),
  };
  const site = { url, waitMinutes: 2, isReady: async () => ready, restart: step("restart", () => version() === restart) };
  return update(folder, restarts ? { ...steps, site } : steps, (line) => lines.push(line));
};

test("backs up the old version, builds the new one, and starts it", async () => {
  publish("two");
  expect(await run()).toBe(0);
  expect(done).toEqual(["backup one", "build two", "restart two"]);
  expect(lines.at(-1)).toBe("Updated, and ready.");
});

test("leaves the start to an operator without a start command", async () => {
  publish("two");
  expect(await run({}, false)).toBe(0);
  expect(done).toEqual(["backup one", "build two"]);
  expect(lines.at(-1)).toContain("Restart the site");
});

test("names changed files that the operator may have installed", async () => {
  const origin = join(base, "origin");
  mkdirSync(join(origin, "deploy"));
  writeFileSync(join(origin, "deploy", "nginx.conf"), "server {}");
  publish("two");
  expect(await run()).toBe(0);
  expect(lines).toContain("Changed in this version: deploy/nginx.conf. If you installed a copy, install it again.");
  publish("three");
  lines = [];
  expect(await run()).toBe(0);
  expect(lines.join()).not.toContain("deploy/");
});

test("does nothing without a new commit", async () => {
  expect(await run()).toBe(0);
  expect(done).toEqual([]);
  expect(lines).toEqual([expect.stringContaining("This is the newest version")]);
});

test.each([
  ["a build that fails", { build: "two" }, ["backup one", "build two", "build one"]],
  ["a version that doesn't become ready", { restart: "two" }, ["backup one", "build two", "restart two", "build one", "restart one"]],
])("%s leaves everything as it was", async (_what, failing, expected) => {
  publish("two");
  expect(await run(failing)).toBe(1);
  expect(done).toEqual(expected);
  expect(version()).toBe("one");
  expect(git(folder, "status", "--porcelain")).toBe("");
  expect(lines.at(-1)).toBe("The previous version is in place again.");
  // It can be retried.
  publish("three");
  expect(await run()).toBe(0);
  expect(version()).toBe("three");
});

test("a version that needs longer to become ready is given more time by --wait", async () => {
  publish("two");
  expect(await run({ restart: "two" })).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^The new version isn't ready at .* update again with more minutes than --wait 2\. /));

  expect(readOptions(["--restart", "restart it"])).toEqual({ backup: undefined, restart: "restart it", waitMinutes: 2 });
  expect(readOptions(["--wait", "30"])?.waitMinutes).toBe(30);
  for (const wrong of [["--wait"], ["--wait", "0"], ["--wait", "long"], ["--fast"]]) expect(readOptions(wrong)).toBeUndefined();
});

test("when neither version becomes ready, the log comes before the restore", async () => {
  publish("two");
  const restart = async () => {
    done.push(`restart ${version()}`);
    return false;
  };
  const steps = {
    backUp: async () => true,
    isBuilt: () => true,
    build: async () => true,
    site: { url, waitMinutes: 2, isReady: async () => true, restart },
    restoreCommand: restoreCommand("sudo inkstead backup"),
  };
  expect(await update(folder, steps, (line) => lines.push(line))).toBe(1);
  expect(done).toEqual(["restart two", "restart one"]);
  expect(lines.at(-1)).toContain(`isn't ready at ${url} either. Check HOST and PORT, then read the site's log. Only if`);
  expect(lines.at(-1)).toMatch(/restore the backup, without what was written since: sudo inkstead restore FILE --overwrite$/);
});

test("a site that isn't ready where the update looks stays as it is", async () => {
  publish("two");
  expect(await run({ ready: false })).toBe(1);
  expect([version(), done]).toEqual(["one", []]);
  expect(lines.at(-1)).toContain(`isn't ready at ${url}`);
  expect(lines.at(-1)).toContain("Set HOST and PORT as the site has them");
  expect(await run({ ready: false }, false)).toBe(0);
  expect(version()).toBe("two");
});

describe("an update that was interrupted before its build", () => {
  beforeEach(() => {
    publish("two");
    git(folder, "pull", "--quiet", "--ff-only");
  });

  test("is finished, also when the site is down", async () => {
    expect(await run({ built: false, ready: false })).toBe(0);
    expect(done).toEqual(["build two", "restart two"]);
    expect(lines.at(-1)).toBe("Updated, and ready.");
  });

  test("leaves the start to an operator without a start command", async () => {
    expect(await run({ built: false }, false)).toBe(0);
    expect(done).toEqual(["build two"]);
    expect(lines.at(-1)).toContain("Restart the site");
  });

  test.each([
    ["built", { build: "two" }, "couldn't be installed or built"],
    ["started", { restart: "two" }, `isn't ready at ${url}. Check HOST and PORT`],
  ])("says so when the version can't be %s", async (_what, failing, message) => {
    expect(await run({ built: false, ...failing })).toBe(1);
    expect(version()).toBe("two");
    expect(lines.at(-1)).toContain(message);
  });

  test("names the missing build when the backup refuses the database", async () => {
    publish("three");
    expect(await run({ built: false, backUp: true })).toBe(1);
    expect(lines.at(-1)).toContain("run npm run build and restart the site first");
  });
});

test("the backup is restored with the settings of the command that made it", () => {
  const restore = "npm run restore -- FILE --overwrite";
  expect(restoreCommand("sudo inkstead backup")).toBe("sudo inkstead restore FILE --overwrite");
  expect(restoreCommand("sudo -u site npm run backup")).toBe(`sudo -u site ${restore}`);
  for (const backup of ["npm run backup", "/usr/local/bin/make-backup", "backup", undefined]) expect(restoreCommand(backup)).toBe(restore);
});

test("without a backup nothing changes", async () => {
  publish("two");
  expect(await run({ backUp: true })).toBe(1);
  expect([version(), done]).toEqual(["one", ["backup one"]]);
});

test("files that can't be written are returned to the version before", async () => {
  const failing = [
    ["filter.half.smudge", "sed /two/q1"],
    ["filter.half.required", "true"],
    ["filter.half.clean", "cat"],
  ] as const;
  for (const [name, value] of failing) git(folder, "config", name, value);
  writeFileSync(join(folder, ".git", "info", "attributes"), "version filter=half");
  publish("two");
  expect(await run()).toBe(1);
  expect(done).toEqual(["backup one"]);
  expect([version(), git(folder, "status", "--porcelain")]).toEqual(["one", ""]);
  expect(lines.at(-1)).toMatch(/^The new version's files can't be written: (.|\n)+\nThe previous version is in place again\.$/);
});

test("an update interrupted while it wrote files can be repeated after the command that it names", async () => {
  publish("two");
  writeFileSync(join(folder, "version"), "two");
  writeFileSync(join(folder, "new"), "a part");
  expect(await run()).toBe(1);
  const command = /git (stash \S+),/.exec(lines.at(-1) ?? "")?.[1] ?? "";
  git(folder, ...command.split(" "));
  expect(await run()).toBe(0);
  expect(version()).toBe("two");
});

test("a backup without the site's settings is refused and creates nothing", async () => {
  const dataDir = join(base, "data");
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  const { stderr } = await promisify(execFile)(process.execPath, ["scripts/backup.ts"], { env }).catch((error) => error);
  expect(stderr).toContain(`There is no site in DATA_DIR ${dataDir}. Run this with the site's settings`);
  expect(existsSync(dataDir)).toBe(false);
});

test.each([
  ["changes that aren't committed", () => writeFileSync(join(folder, "version"), "mine")],
  ["a file that git doesn't know", () => writeFileSync(join(folder, "more"), "mine")],
  ["commits of one's own", () => publish("mine", folder)],
  ["no branch to follow", () => git(folder, "checkout", "--quiet", "--detach")],
  ["a place that can't be reached", () => git(folder, "remote", "set-url", "origin", join(base, "nowhere"))],
])("%s: nothing is done", async (_what, prepare) => {
  publish("two");
  prepare();
  const before = git(folder, "rev-parse", "HEAD");
  expect(await run()).toBe(1);
  expect(done).toEqual([]);
  expect(git(folder, "rev-parse", "HEAD")).toBe(before);
});
