import { type ChildProcess, spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Site } from "#domain/site.ts";
import { newId } from "#platform/ids.ts";
import { openCluster } from "../tests/postgres/cluster.ts";
import { seed } from "./lists/seed.ts";
import { table } from "./measure.ts";
import { secret, withSite } from "./sites.ts";
import { peakMegabytes, readProc } from "./table/rates.ts";

/**
 * `npm run bench -- backups [megabytes] [rows]`: peak memory of backup and restore, for a site with the given megabytes of files and rows, and
 * for one with a tenth of it, on both engines. Peaks are the kernel's (`VmHWM`) for the process and its child, so it needs Linux.
 */
const [megabytes = 500, rows = 200_000] = process.argv.slice(2).map(Number);
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "inkstead-bench-"));
const lines: string[][] = [];
try {
  for (const share of [0.1, 1]) {
    const cluster = await openCluster([]);
    await measure(megabytes * share, rows * share, cluster.url).finally(() => cluster.close());
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(table(["site", "step", "peak memory", "seconds"], lines));

async function measure(size: number, count: number, databaseUrl: string): Promise<void> {
  const site = `${size} MB, ${count.toLocaleString("en")} rows`;
  const dataFolder = join(folder, `site-${size}`);
  // A tenth of the rows are stories with their authors, the others likes.
  const posts = count / 10;
  await seed(dataFolder, { stories: posts, members: posts / 5, likes: count - 2 * posts });
  await withSite({ DATA_DIR: dataFolder }, (site) => addFiles(site, size));
  const onPostgres = { DATA_DIR: join(folder, `postgres-${size}`), DATABASE_URL: databaseUrl };
  const steps: [string, string, Record<string, string>, () => string[]][] = [
    ["backup of SQLite", "backup", { DATA_DIR: dataFolder }, () => []],
    ["restore into SQLite", "restore", { DATA_DIR: join(folder, `restored-${size}`) }, () => [archiveIn(dataFolder)]],
    ["restore into PostgreSQL", "restore", onPostgres, () => [archiveIn(dataFolder)]],
    ["backup of PostgreSQL", "backup", onPostgres, () => []],
  ];
  for (const [step, script, environment, args] of steps) {
    mkdirSync(environment.DATA_DIR ?? "", { recursive: true });
    const start = performance.now();
    const peak = await peakOf(join(root, "scripts", `${script}.ts`), args(), environment);
    lines.push([site, step, `${Math.round(peak)} MB`, ((performance.now() - start) / 1000).toFixed(0)]);
    console.log(lines.at(-1)?.join(", "));
  }
}

/** Noise, which doesn't compress. */
async function addFiles({ db, files, now }: Site, count: number): Promise<void> {
  const bytes = Buffer.alloc(1024 * 1024);
  const metadata = { name: "noise", type: "application/zip", size: bytes.byteLength, width: null, height: null, ownerId: null };
  for (let file = 0; file < count; file++) {
    const time = now();
    const id = newId(time);
    await files.put(`${id}/original`, randomFillSync(bytes));
    await db
      .insertInto("files")
      .values({ id, ...metadata, createdAt: time, attachedAt: time })
      .execute();
  }
}

function archiveIn(dataDir: string): string {
  const backups = join(dataDir, "backups");
  return join(backups, readdirSync(backups).find((name) => name.endsWith(".tar")) ?? "");
}

/** Peak megabytes of the script and its child process. @throws Error with its output when it fails. */
async function peakOf(script: string, args: string[], environment: Record<string, string>): Promise<number> {
  const env = { ...process.env, SECRET: secret, DATABASE_URL: "", ...environment };
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, ...processTree(child).map(peakMegabytes));
  }, 100);
  const [code] = (await once(child, "exit")) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${output}`);
  return peak;
}

function processTree({ pid }: ChildProcess): number[] {
  const children = (readProc(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ").filter(Boolean).map(Number);
  return [...(pid ? [pid] : []), ...children];
}
