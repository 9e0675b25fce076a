import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** Where the program is, whether it runs from its sources or built: the folder of package.json. */
export const programFolder: string = dirname(findPackageJSON(".", import.meta.url) ?? "");

/** Of the program that runs, as package.json names it. */
export const programVersion: string = JSON.parse(readFileSync(join(programFolder, "package.json"), "utf8")).version;
