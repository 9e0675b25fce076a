import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { drawIcons, iconsFile } from "./icons.ts";

test("the icon file has every used icon in its current form", async () => {
  expect(readFileSync(iconsFile, "utf8")).toBe(await drawIcons());
});
