import { readFileSync } from "node:fs";
import { join } from "node:path";
import { releaseNotes } from "./notes.ts";

/** `npm run release-notes -- TAG` */
const read = (name: string) => readFileSync(join(import.meta.dirname, "..", "..", name), "utf8");
try {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  process.stdout.write(releaseNotes(process.argv[2] ?? "", version, read("CHANGELOG.md")));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
