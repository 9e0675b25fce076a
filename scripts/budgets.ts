import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import { buildIfNeeded } from "./build.ts";

/** Scripts that the first visit to a page may load: number of files, and kilobytes as sent (Brotli). */
const pages: Record<string, { files: number; kilobytes: number }> = {
  "pages/index-page": { files: 10, kilobytes: 140 },
  "posts/post-page": { files: 10, kilobytes: 140 },
  "posts/lists/all-posts-page": { files: 10, kilobytes: 140 },
  "profiles/profile-page": { files: 10, kilobytes: 140 },
  "newsletter/subscribe-page": { files: 11, kilobytes: 172 },
  "editor/new": { files: 12, kilobytes: 189 },
  "messages/chat/chat-page": { files: 12, kilobytes: 180 },
  "admin/posts/posts-page": { files: 12, kilobytes: 184 },
};

/** Kilobytes of all style sheets. */
const maxStyles = 18;
/** Fonts of a story in English with italics, a quotation and headings. */
const postFonts = { of: /^(instrument-sans|newsreader|newsreader-italic|source-serif|source-serif-italic)-basic-/, kilobytes: 110 };

const folder = "build/client";

/** Prints all sizes. @returns 1 if one exceeds its budget. */
export async function checkBudgets(): Promise<number> {
  if (!(await buildIfNeeded())) return 1;
  const { assets }: ServerBuild = await import(pathToFileURL(join("build", "server", "index.js")).href);
  const exceeded: string[] = [];
  const measure = (name: string, size: number, allowed: number, unit: string) => {
    console.log(`${name.padEnd(32)} ${String(size).padStart(4)} of ${allowed} ${unit}`);
    if (size > allowed) exceeded.push(name);
  };
  const root = assets.routes.root;
  for (const [page, budget] of Object.entries(pages)) {
    const route = assets.routes[page];
    if (!root || !route) throw new Error(`there is no page ${page}`);
    const files = new Set([assets.url, ...[assets.entry, root, route].flatMap(({ module, imports = [] }) => [module, ...imports])]);
    measure(page, files.size, budget.files, "files");
    measure(page, kilobytes([...files].map(sentBytes)), budget.kilobytes, "kB of script");
  }
  // React Router appends "#" to addresses of style sheets that lazy chunks share.
  const sheets = (root?.css ?? []).map((file) => file.replace(/#$/, ""));
  measure("styles", kilobytes(sheets.map(sentBytes)), maxStyles, "kB");
  const used = new Set(sheets.flatMap((file) => readFileSync(join(folder, file), "utf8").match(/[\w-]+\.woff2/g) ?? []));
  const fonts = readdirSync(join(folder, "assets")).filter((name) => used.has(name) && postFonts.of.test(name));
  measure("fonts of a story", kilobytes(fonts.map((name) => statSync(join(folder, "assets", name)).size)), postFonts.kilobytes, "kB");
  if (exceeded.length > 0) console.error(`Too much: ${exceeded.join(", ")}.`);
  return exceeded.length > 0 ? 1 : 0;
}

function sentBytes(file: string): number {
  const path = join(folder, file);
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
}

function kilobytes(bytes: number[]): number {
  return Math.ceil(bytes.reduce((sum, each) => sum + each, 0) / 1000);
}
