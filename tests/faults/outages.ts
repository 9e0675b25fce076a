import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { Engine } from "#platform/database/engine.ts";
import { type Cluster, openCluster } from "../postgres/cluster.ts";
import { type RunningServer, startServer } from "../support/process.ts";
import { startS3 } from "../support/s3.ts";
import { startTwoServers } from "../support/two-servers.ts";
import { openFaultyConnection } from "./faulty-connection.ts";
import { breakUnderLoad, type Outage } from "./outage.ts";
import { smallDisk } from "./small-disks.ts";

const secret = { SECRET: "a secret that only the tests know" };

/** PostgreSQL crashes and starts again. */
export async function stopPostgres(durationMs: number): Promise<Outage> {
  return onCluster([], (cluster, server) =>
    breakUnderLoad({
      server,
      environment: server.environment,
      durationMs,
      begin: () => cluster.stop("immediate"),
      end: () => cluster.start(),
    }),
  );
}

/** Other clients take all connections, and the site loses its own. */
export async function useUpConnections(durationMs: number): Promise<Outage> {
  const others: pg.Client[] = [];
  return onCluster(["max_connections=30"], (cluster, server) =>
    breakUnderLoad({
      ...{ server, environment: server.environment, durationMs },
      async begin() {
        const first = await connected(cluster.url);
        others.push(first);
        for (let free = true; free; ) {
          await first.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'inkstead'");
          free = await connected(cluster.url).then(
            (client) => others.push(client) < 60,
            () => false,
          );
        }
        await first.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'inkstead'");
        for (let client = await tryConnect(cluster.url); client; client = await tryConnect(cluster.url)) others.push(client);
      },
      end: async () => void (await Promise.all(others.map((client) => client.end()))),
    }),
  );
}

const tryConnect = (url: string) => connected(url).catch(() => undefined);

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Each response of PostgreSQL is slow, or none comes. */
export async function slowPostgres(how: "slow" | "silent", durationMs: number): Promise<Outage> {
  const cluster = await openCluster(["fsync=off", "max_connections=60"]);
  const line = await openFaultyConnection(cluster.url);
  const server = await startServer({ DATABASE_URL: line.url, ...secret });
  try {
    const [begin, end] =
      how === "slow" ? [() => line.delay(300), () => line.delay(0)] : [() => line.silence(true), () => line.silence(false)];
    return await breakUnderLoad({ server, environment: { ...server.environment, DATABASE_URL: cluster.url }, begin, end, durationMs });
  } finally {
    await server.close();
    await line.close();
    await cluster.close();
  }
}

async function onCluster(settings: string[], work: (cluster: Cluster, server: RunningServer) => Promise<Outage>): Promise<Outage> {
  const cluster = await openCluster(["fsync=off", "max_connections=60", ...settings]);
  try {
    const server = await startServer({ DATABASE_URL: cluster.url, ...secret });
    try {
      return await work(cluster, server);
    } finally {
      await server.close();
    }
  } finally {
    await cluster.close();
  }
}

/** The data folder's disk is full. Needs root. */
export async function fillDisk(durationMs: number): Promise<Outage | undefined> {
  const disk = smallDisk("64m");
  if (!disk) return undefined;
  try {
    const server = await startServer({ DATA_DIR: disk.folder });
    try {
      return await breakUnderLoad({
        ...{ server: { ...server, dataDir: disk.folder }, environment: server.environment, durationMs, refusesSaves: true },
        begin: () => fill(join(disk.folder, "ballast")),
        end: disk.makeRoom,
      });
    } finally {
      await server.close();
    }
  } finally {
    disk.remove();
  }
}

/** Fills the disk to the last byte. */
function fill(path: string): void {
  for (let size = 1024 * 1024; size >= 1; )
    try {
      appendFileSync(path, Buffer.alloc(size));
    } catch {
      size = Math.floor(size / 2);
    }
}

/** The folder of files is append-protected. Needs root and a file system that supports the flag. */
export async function makeFilesReadOnly(durationMs: number): Promise<Outage | undefined> {
  const server = await startServer();
  const folder = join(server.dataDir, "files");
  const mark = (sign: "+" | "-") => void execFileSync("chattr", [`${sign}i`, folder], { stdio: "ignore" });
  try {
    mark("+");
    mark("-");
  } catch {
    await server.close();
    return undefined;
  }
  try {
    return await breakUnderLoad({ server, environment: server.environment, durationMs, begin: () => mark("+"), end: () => mark("-") });
  } finally {
    await server.close();
  }
}

/** The file store is gone, hangs, or rejects the site's keys. */
export async function breakS3(how: "away" | "silent" | "closed", durationMs: number): Promise<Outage> {
  const s3 = await startS3();
  const server = await startServer(s3.environment(s3.place()));
  const faults = { away: [s3.kill, s3.start], silent: [s3.freeze, s3.thaw], closed: [s3.revokeKeys, s3.restoreKeys] } as const;
  const [begin, end] = faults[how];
  try {
    return await breakUnderLoad({ server, environment: server.environment, begin, end, durationMs });
  } finally {
    await server.close();
    await s3.close();
  }
}

/** One of two processes is stopped with its database locks, as on a suspended machine. A proxy leads people to the other. */
export async function freezeOneOfTwo(durationMs: number): Promise<Outage> {
  const dataDir = mkdtempSync(join(tmpdir(), "inkstead-shared-"));
  const { first, second, close } = await startTwoServers({ DATA_DIR: dataDir });
  let [frozen, turn] = [false, 0];
  try {
    return await breakUnderLoad({
      ...{ server: { ...first, dataDir }, environment: first.environment, durationMs },
      choose: () => (frozen || turn++ % 2 === 0 ? first : second),
      begin() {
        process.kill(second.pid(), "SIGSTOP");
        frozen = true;
      },
      end() {
        process.kill(second.pid(), "SIGCONT");
        frozen = false;
      },
    });
  } finally {
    await close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The machine's clock jumps by so many hours, and back. */
export async function jumpClock(engine: Engine, hours: number, durationMs: number): Promise<Outage> {
  const preload = `--import ${join(import.meta.dirname, "jumping-clock.ts")}`;
  const server = await startServer({ NODE_OPTIONS: preload, JUMP_HOURS: String(hours) }, engine);
  const jump = () => void process.kill(server.pid(), "SIGUSR2");
  try {
    return await breakUnderLoad({ server, environment: server.environment, durationMs, begin: jump, end: jump });
  } finally {
    await server.close();
  }
}

/** A long read of an old snapshot, so that the log can't be checkpointed. @returns its size too, in bytes */
export async function holdReadTransaction(durationMs: number): Promise<Outage & { logBytes: number; afterBytes: number }> {
  const server = await startServer();
  const size = () => Number(execFileSync("stat", ["-c", "%s", join(server.dataDir, "inkstead.db-wal")]));
  let reader: DatabaseSync | undefined;
  let logBytes = 0;
  try {
    const outage = await breakUnderLoad({
      ...{ server, environment: server.environment, durationMs },
      begin() {
        reader = new DatabaseSync(join(server.dataDir, "inkstead.db"), { readOnly: true });
        reader.exec("begin; select count(*) from users");
      },
      end() {
        logBytes = size();
        reader?.close();
      },
    });
    return { ...outage, logBytes, afterBytes: size() };
  } finally {
    await server.close();
  }
}
