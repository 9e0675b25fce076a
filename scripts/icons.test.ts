import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { drawIcons, iconsFile } from "./icons.ts";

test("the file of icons has all that are named, as they are drawn now", async () => {
  expect(readFileSync(iconsFile, "utf8")).toBe(await drawIcons());
});
