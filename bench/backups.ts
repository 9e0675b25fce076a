import { type ChildProcess, spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { readConfig } from "#platform/config.ts";
import { newId } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { closeSite, openSite } from "#server/site.ts";
import { openCluster } from "../tests/postgres/cluster.ts";
import { seed } from "./lists/seed.ts";
import { table } from "./measure.ts";

/**
 * `npm run bench -- backups [megabytes] [rows]`: peak memory of backup and restore, for a site with the given megabytes of files and rows, and
 * for one with a tenth of it, on both engines. Peaks are the kernel's (`VmHWM`) for the process and its child, so it needs Linux.
 */
const [megabytes = 500, rows = 200_000] = process.argv.slice(2).map(Number);
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "inkstead-bench-"));
const secret = "a secret that only the figures know";
const cluster = await openCluster([]);
const lines: string[][] = [];
try {
  for (const share of [0.1, 1]) await measure(megabytes * share, rows * share);
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(table(["site", "step", "peak memory", "seconds"], lines));

async function measure(size: number, count: number): Promise<void> {
  const site = `${size} MB, ${count.toLocaleString("en")} rows`;
  const dataFolder = join(folder, `site-${size}`);
  await fill(dataFolder, size, count);
  const onPostgres = { DATA_DIR: join(folder, `postgres-${size}`), DATABASE_URL: await newDatabase(`site_${size}`) };
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
    lines.push([site, step, `${Math.round(peak / 1024)} MB`, ((performance.now() - start) / 1000).toFixed(0)]);
    console.log(lines.at(-1)?.join(", "));
  }
}

/** A tenth of the rows are stories with their authors, the others likes; files are noise, which doesn't compress. */
async function fill(dataDir: string, size: number, count: number): Promise<void> {
  const stories = count / 10;
  await seed(dataDir, { stories, members: stories / 5, likes: count - 2 * stories });
  const opened = await openSite(readConfig({ DATA_DIR: dataDir, SECRET: secret }), createLog("silent"));
  const bytes = Buffer.alloc(1024 * 1024);
  const metadata = { name: "noise", type: "application/zip", size: bytes.byteLength, width: null, height: null, ownerId: null };
  for (let file = 0; file < size; file++) {
    const now = opened.now();
    const id = newId(now);
    await opened.files.put(`${id}/original`, randomFillSync(bytes));
    await opened.db
      .insertInto("files")
      .values({ id, ...metadata, createdAt: now, attachedAt: now })
      .execute();
  }
  await closeSite(opened);
}

function archiveIn(dataDir: string): string {
  const backups = join(dataDir, "backups");
  return join(backups, readdirSync(backups).find((name) => name.endsWith(".tar")) ?? "");
}

async function newDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(cluster.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Peak kilobytes of the script and its child process. @throws Error with its output when it fails. */
async function peakOf(script: string, args: string[], environment: Record<string, string>): Promise<number> {
  const env = { ...process.env, SECRET: secret, DATABASE_URL: "", ...environment };
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, ...processTree(child).map(peakKilobytes));
  }, 100);
  const [code] = (await once(child, "exit")) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${output}`);
  return peak;
}

function processTree({ pid }: ChildProcess): number[] {
  const children = readProc(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return [...(pid ? [pid] : []), ...children];
}

function peakKilobytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** Empty after the process has ended. */
function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
