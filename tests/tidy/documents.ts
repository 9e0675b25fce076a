import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A document of the project: its path from the root, and what it says. */
export type Document = { path: string; text: string };

export function readDocuments(root: string): Document[] {
  const below = readdirSync(join(root, "docs"), { recursive: true }).map((path) => join("docs", String(path)));
  return ["README.md", "SECURITY.md", ...below]
    .filter((path) => path.endsWith(".md"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** `domain/site.ts`, `domain/accounts/**`, `app/posts/{editor,lists}`; not `/admin/posts`, `node_modules/…` or `build/…`. */
const fileOfTheProject = /`((?:app|bench|deploy|docs|domain|platform|prove|public|scripts|server|tests)\/[^\s`]*)`/g;

/** `hostile-forms.test.ts`, where the sentence says in which folder. */
const nameOfASource = /`([a-z][\w.-]*\.tsx?)`/g;

/** Files and folders that documents name and that there aren't. */
export function missingFiles(documents: Document[], exists: (path: string) => boolean): string[] {
  return documents.flatMap(({ path, text }) => {
    const named = [...text.matchAll(fileOfTheProject)].map(([, name = ""]) => name.replace(/[:#].*$/, ""));
    const alone = [...text.matchAll(nameOfASource)].map(([, name = ""]) => `**/${name}`);
    return [...new Set([...named, ...alone])].filter((name) => !exists(name)).map((name) => `${path} names ${name}`);
  });
}

export function existsIn(root: string): (path: string) => boolean {
  const exclude = (name: string) =>
    name === "node_modules" || name === "build" || name.endsWith("/node_modules") || name.endsWith("/build");
  return (path) => globSync(path.replace(/\/$/, ""), { cwd: root, exclude }).length > 0;
}
