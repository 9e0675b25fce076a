import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** A document's path from the root, and its text. */
export type Document = { path: string; text: string };

export function readDocuments(root: string): Document[] {
  const below = readdirSync(join(root, "docs"), { recursive: true }).map((path) => join("docs", String(path)));
  return ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", ...below]
    .filter((path) => path.endsWith(".md"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** `domain/site.ts`, `domain/accounts/**`, `app/posts/{editor,lists}`; not `/admin/posts`, `node_modules/…` or `build/…`. */
const fileOfTheProject = /`((?:app|bench|deploy|docs|domain|platform|prove|public|scripts|server|tests)\/[^\s`]*)`/g;

/** `hostile-forms.test.ts`, whose folder is in the sentence. */
const nameOfASource = /`([a-z][\w.-]*\.tsx?)`/g;

/** `domain/NOUN/NOUN.server.ts`, a placeholder. */
const placeholder = /[A-Z]{4,}/;

/** Missing files and folders that documents name. */
export function missingFiles(documents: Document[], exists: (path: string) => boolean): string[] {
  return documents.flatMap(({ path, text }) => {
    const named = [...text.matchAll(fileOfTheProject)].map(([, name = ""]) => name.replace(/[:#].*$/, ""));
    const alone = [...text.matchAll(nameOfASource)].map(([, name = ""]) => `**/${name}`);
    return [...new Set([...named, ...alone])]
      .filter((name) => !placeholder.test(name) && !exists(name))
      .map((name) => `${path} names ${name}`);
  });
}

const linkToUs = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g;
const codeBlock = /^```[\s\S]*?^```/gm;

/** Links to missing files and headings. */
export function brokenLinks(documents: Document[], exists: (path: string) => boolean): string[] {
  const anchors = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
  return documents.flatMap(({ path, text }) =>
    [...text.replaceAll(codeBlock, "").matchAll(linkToUs)].flatMap(([, to = "", anchor]) => {
      const target = to === "" ? path : normalize(join(dirname(path), to));
      if (!exists(target)) return [`${path} links to ${to}`];
      const isMissing = anchor !== undefined && anchors.has(target) && !anchors.get(target)?.includes(anchor);
      return isMissing ? [`${path} links to ${to}#${anchor}`] : [];
    }),
  );
}

/** Headings' anchors as forges form them: lower case, hyphens for spaces, no punctuation. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replaceAll(codeBlock, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

export function existsIn(root: string): (path: string) => boolean {
  const exclude = (name: string) =>
    name === "node_modules" || name === "build" || name.endsWith("/node_modules") || name.endsWith("/build");
  return (path) => globSync(path.replace(/\/$/, ""), { cwd: root, exclude }).length > 0;
}
