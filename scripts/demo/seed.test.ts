import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isEmptyFolder } from "./seed.ts";

test("the sample community fills only a missing or empty folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "inkstead-demo-"));
  try {
    expect(await isEmptyFolder(join(folder, "data"))).toBe(true);
    expect(await isEmptyFolder(folder)).toBe(true);
    writeFileSync(join(folder, "inkstead.db"), "");
    expect(await isEmptyFolder(folder)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
