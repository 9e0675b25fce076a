import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import { buildIfNeeded } from "./build.ts";

/** What the first visit to a page may load before anything is pressed: files of script, and kilobytes of them as they are sent (brotli). */
const pages: Record<string, { files: number; kilobytes: number }> = {
  "pages/index-page": { files: 10, kilobytes: 140 },
  "posts/post-page": { files: 10, kilobytes: 140 },
  "posts/lists/all-posts-page": { files: 10, kilobytes: 140 },
  "profiles/profile-page": { files: 10, kilobytes: 140 },
  "newsletter/subscribe-page": { files: 11, kilobytes: 179 },
  "editor/new": { files: 12, kilobytes: 189 },
  "messages/chat/chat-page": { files: 12, kilobytes: 180 },
  "admin/posts/posts-page": { files: 12, kilobytes: 184 },
};

/** Kilobytes: all styles, and the fonts of a story in English that has italics, a quotation and headings. */
const styles = 18;
const storyFonts = { of: /^(instrument-sans|newsreader|newsreader-italic|source-serif|source-serif-italic)-basic-/, kilobytes: 110 };

const folder = "build/client";

/** Returns 1 and says what is too much when a page has outgrown its budget. */
export async function checkBudgets(): Promise<number> {
  if (!(await buildIfNeeded())) return 1;
  const { assets }: ServerBuild = await import(pathToFileURL(join("build", "server", "index.js")).href);
  const over: string[] = [];
  const measure = (what: string, found: number, allowed: number, unit: string) => {
    console.log(`${what.padEnd(32)} ${String(found).padStart(4)} of ${allowed} ${unit}`);
    if (found > allowed) over.push(what);
  };
  const root = assets.routes.root;
  for (const [page, budget] of Object.entries(pages)) {
    const route = assets.routes[page];
    if (!root || !route) throw new Error(`${page} is no page`);
    const files = new Set([assets.url, ...[assets.entry, root, route].flatMap(({ module, imports = [] }) => [module, ...imports])]);
    measure(page, files.size, budget.files, "files");
    measure(page, kilobytes([...files].map(sent)), budget.kilobytes, "kB of script");
  }
  // React Router ends the addresses of style sheets that lazy chunks share with "#".
  const sheets = (root?.css ?? []).map((file) => file.replace(/#$/, ""));
  measure("styles", kilobytes(sheets.map(sent)), styles, "kB");
  const used = new Set(sheets.flatMap((file) => readFileSync(join(folder, file), "utf8").match(/[\w-]+\.woff2/g) ?? []));
  const fonts = readdirSync(join(folder, "assets")).filter((name) => used.has(name) && storyFonts.of.test(name));
  measure("fonts of a story", kilobytes(fonts.map((name) => statSync(join(folder, "assets", name)).size)), storyFonts.kilobytes, "kB");
  if (over.length > 0) console.error(`Too much: ${over.join(", ")}.`);
  return over.length > 0 ? 1 : 0;
}

function sent(file: string): number {
  const path = join(folder, file);
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
}

function kilobytes(bytes: number[]): number {
  return Math.ceil(bytes.reduce((sum, each) => sum + each, 0) / 1000);
}
