import { readFileSync } from "node:fs";

/** Of the program that runs, as package.json names it. */
export const programVersion: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
