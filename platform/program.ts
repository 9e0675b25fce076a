import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

export const programFolder: string = dirname(findPackageJSON(".", import.meta.url) ?? "");

export const programVersion: string = JSON.parse(readFileSync(join(programFolder, "package.json"), "utf8")).version;
