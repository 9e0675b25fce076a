import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { withLock } from "./bootstrap/lock.mjs";
import { runTool } from "./processes.ts";

const folder = "build";
const stampFile = join(folder, "stamp.json");
/** Folders of files with a hash in their names. */
const assetFolders = [join("client", "assets"), join("site", "assets")];

const sources = [
  "scripts/build.ts",
  "scripts/chunks.ts",
  "app",
  "domain",
  "platform",
  "server",
  "public",
  "vite.config.ts",
  "react-router.config.ts",
  "package-lock.json",
  "tsconfig.json",
];

type Stamp = { sources: string; assets: string[] };

/** Builds the site unless the build is of the same sources. @returns false if the build failed. */
export async function buildIfNeeded({ always = false } = {}): Promise<boolean> {
  if (!always && isBuilt()) return true;
  return withLock(join(folder, ".lock"), async () => {
    if (!always && isBuilt()) return true; // Another command was faster.
    return build();
  });
}

/** Whether the build is of the sources in the current folder. */
export function isBuilt(): boolean {
  if (!existsSync(join(folder, "site", "serve.js"))) return false;
  // The image has the build without all of its sources.
  return !sources.every((each) => existsSync(each)) || readStamp()?.sources === hashSources();
}

function readStamp(): Stamp | undefined {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8")) as Stamp;
  } catch {
    return undefined;
  }
}

/** Builds in a separate folder and moves the result into place when it is complete. */
async function build(): Promise<boolean> {
  console.log("Building the site …");
  for (const name of readdirSync(folder)) if (name.startsWith("next-")) rmSync(join(folder, name), { recursive: true });
  const next = join(folder, `next-${process.pid}`);
  const hash = hashSources();
  const code = await runTool("@react-router/dev", "react-router", ["build", "--logLevel", "warn"], {
    env: { NODE_ENV: "production", BUILD_DIRECTORY: next },
  });
  const succeeded = code === 0 && (await bundleSite(next));
  if (succeeded) {
    await compressAssets(join(next, "client", "assets"));
    cpSync(join("platform", "database", "definitions"), join(next, "site", "definitions"), { recursive: true });
  }
  if (!succeeded) {
    rmSync(next, { recursive: true, force: true });
    console.error("The build failed. The reason is above.");
    return false;
  }
  moveIntoPlace(next, hash);
  return true;
}

/**
 * Bundles the server with its pages, and the thread that renders texts, each with its packages: loading thousands of files takes twice as
 * long and a quarter more memory.
 */
async function bundleSite(next: string): Promise<boolean> {
  const vite = await import("vite");
  const pages = resolve(next, "server", "index.js");
  // Named, so that a stack trace distinguishes packages from the site's code.
  const packages = { name: "node_modules", test: /node_modules/, tags: ["$initial" as const] };
  const bundle = (input: Record<string, string>, groups = [packages]) =>
    vite.build({
      ...{ configFile: false, logLevel: "warn", plugins: [{ name: "one-byte", renderChunk: escapeNonLatin1 }] },
      define: { "process.env.NODE_ENV": '"production"' },
      resolve: { alias: { "virtual:react-router/server-build": pages } },
      ssr: { noExternal: true, external: ["sharp", "vite"] },
      build: {
        ...{ ssr: true, outDir: join(next, "site"), emptyOutDir: false, copyPublicDir: false },
        rolldownOptions: { input, output: { codeSplitting: { groups }, comments: false }, checks: { moduleLevelDirective: false } },
      },
    });
  try {
    await bundle({ serve: "server/serve.ts", pages });
    // Separate: a thread that took too long is replaced, so its start must be fast.
    await bundle({ worker: "platform/markup/render.ts" }, []);
    return true;
  } catch (error) {
    console.error(error);
    return false;
  }
}

/** The same program in Latin-1: V8 stores a file with any other character as two bytes per character. */
export function escapeNonLatin1(code: string): string {
  return code.replace(/\\\\|\\?([^\0-\xff])/g, (found, beyond?: string) =>
    beyond ? `\\u${beyond.charCodeAt(0).toString(16).padStart(4, "0")}` : found,
  );
}

/** Writes compressed copies of the assets, so that the server needn't compress them for each request. */
async function compressAssets(folder: string): Promise<void> {
  const shrink = { br: promisify(brotliCompress), gz: promisify(gzip) };
  const names = readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const bytes = readFileSync(file);
      for (const [extension, compressed] of Object.entries(shrink)) writeFileSync(`${file}.${extension}`, await compressed(bytes));
    }),
  );
}

function moveIntoPlace(next: string, hash: string): void {
  const stamp: Stamp = { sources: hash, assets: assetFolders.flatMap((assets) => readdirSync(join(next, assets))) };
  keepOlderAssets(next, readStamp()?.assets ?? []);
  rmSync(stampFile, { force: true });
  const old = `${next}-old`;
  mkdirSync(old);
  for (const part of ["client", "server", "site"]) {
    if (existsSync(join(folder, part))) renameSync(join(folder, part), join(old, part));
    renameSync(join(next, part), join(folder, part));
  }
  writeFileSync(stampFile, JSON.stringify(stamp));
  for (const each of [old, next]) rmSync(each, { recursive: true, force: true });
}

/** Keeps the last build's assets: a running server and open pages still request them. */
function keepOlderAssets(next: string, names: string[]): void {
  for (const assets of assetFolders)
    for (const name of names) {
      const old = join(folder, assets, name);
      if (existsSync(old)) cpSync(old, join(next, assets, name), { force: false });
    }
}

/** Of contents, since a checkout or a restored cache changes the times. Without tests. */
function hashSources(): string {
  const hash = createHash("sha256").update(process.versions.node);
  for (const source of sources) {
    for (const file of filesOf(source)) {
      hash.update(`\0${file}\0`).update(readFileSync(file));
    }
  }
  return hash.digest("hex");
}

function filesOf(path: string): string[] {
  if (path.includes(".")) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
