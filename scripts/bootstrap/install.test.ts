import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installedNode, linkNode } from "./install.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "inkstead-install-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function pin(script: string): string {
  const node = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  mkdirSync(dirname(node), { recursive: true });
  writeFileSync(node, `#!/bin/sh\n${script}\n`);
  chmodSync(node, 0o755);
  return node;
}

test("the pinned Node is used where it works", () => {
  const node = pin("echo v26.0.0");
  expect(installedNode(root, "20.1.0")).toBe(node);
});

test("a message names a missing library and its package", () => {
  pin("echo 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file' >&2; exit 127");
  expect(() => installedNode(root, "20.1.0")).toThrow(
    /libatomic\.so\.1: cannot open[\s\S]*apt-get install libatomic1[\s\S]*Node 24 or newer/,
  );
});

test("where it doesn't work, a new enough Node is used", () => {
  pin("exit 1");
  expect(installedNode(root, "24.7.0")).toBe(process.execPath);
});

test("the link for services leads to that Node, even where npm left none or another", () => {
  const node = pin("echo v26.0.0");
  const link = join(root, "node_modules/.bin/node");
  linkNode(root, node);
  expect(realpathSync(link)).toBe(realpathSync(node));
  rmSync(link);
  for (const other of [process.execPath, join(root, "gone")]) {
    symlinkSync(other, link);
    linkNode(root, node);
    expect(realpathSync(link)).toBe(realpathSync(node));
    rmSync(link);
  }
});
