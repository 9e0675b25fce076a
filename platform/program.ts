import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

export const programFolder: string = dirname(findPackageJSON(".", import.meta.url) ?? "");

export const programVersion: string = JSON.parse(readFileSync(join(programFolder, "package.json"), "utf8")).version;

/** Whether this runs from the build in `build/site`, not from the sources. */
export const isBundled: boolean = !import.meta.url.endsWith(".ts");
