import { mkdtempSync, rmSync } from "node:fs";
import { arch, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setLike } from "#domain/reactions/reactions.server.ts";
import type { Engine } from "#platform/database/engine.ts";
import { closeSite } from "#server/site.ts";
import { type Cluster, openCluster } from "../tests/postgres/cluster.ts";
import { alternateLikes, type BareWriteCase, barePostgres, bareSqlite } from "./bare.ts";
import { median, perSecond, table, type WriteCase } from "./measure.ts";
import { fill, memberOf, postOf } from "./posts.ts";
import { openSiteOf, withSite } from "./sites.ts";
import { formatCount } from "./table/report.ts";

/**
 * `npm run bench -- writes [rounds] [milliseconds]`: durable writes per second. The write is a like: permission, row, counter and event in
 * one transaction, on the disk before the response. The product's own verb alternates with the same statements on the bare engine.
 */
const rounds = Number(process.argv[2] ?? 7);
const milliseconds = Number(process.argv[3] ?? 2_000);
const concurrencies = [1, 32, 256];
const connections = 10;

type Pair = { engine: Engine; ours: WriteCase; bare: WriteCase; close(): Promise<void> };

const folder = mkdtempSync(join(tmpdir(), "inkstead-bench-"));
const cluster = await openCluster([]);
const pairs: Pair[] = [];
try {
  pairs.push(await onSqlite(), await onPostgres(cluster));
  console.log(`${cpus().length} x ${cpus()[0]?.model ?? "processor"}, ${arch()}, Node ${process.versions.node}, files in ${tmpdir()}`);
  console.log(`${rounds} rounds of ${milliseconds} ms each, alternating\n`);
  console.log(await compare(pairs));
} finally {
  for (const pair of pairs) await pair.close();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}

async function onSqlite(): Promise<Pair> {
  const other = join(folder, "bare");
  await withSite({ DATA_DIR: other }, fill);
  return openPair("sqlite", { DATA_DIR: join(folder, "ours") }, bareSqlite(join(other, "inkstead.db")));
}

function onPostgres({ url }: Cluster): Promise<Pair> {
  const environment = { DATA_DIR: join(folder, "postgres"), DATABASE_URL: url, DATABASE_CONNECTIONS: String(connections) };
  return openPair("postgres", environment, barePostgres(url, connections));
}

async function openPair(engine: Engine, environment: Record<string, string>, bare: BareWriteCase): Promise<Pair> {
  const site = await openSiteOf(environment);
  await fill(site);
  const shouldLike = alternateLikes();
  return {
    engine,
    ours: { write: (worker) => setLike(site, memberOf(worker), postOf(worker), shouldLike(worker)) },
    bare,
    close: async () => void (await Promise.all([closeSite(site), bare.close()])),
  };
}

async function compare(pairs: Pair[]): Promise<string> {
  const cases = pairs.flatMap((pair) =>
    concurrencies.map((concurrency) => ({ ...pair, concurrency, rates: { ours: [] as number[], bare: [] as number[] } })),
  );
  for (let round = 0; round < rounds; round++)
    for (const each of cases) {
      const order = round % 2 === 0 ? (["ours", "bare"] as const) : (["bare", "ours"] as const);
      for (const side of order) each.rates[side].push(await perSecond(each[side], each.concurrency, milliseconds));
    }
  const rows = cases.map(({ engine, concurrency, rates: { ours, bare } }) => {
    const ratios = ours.map((rate, round) => rate / (bare[round] as number));
    const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    return [engine, String(concurrency), formatCount(median(ours)), formatCount(median(bare)), `${median(ratios).toFixed(2)}`, spread];
  });
  return table(["engine", "at once", "Inkstead, per second", "bare engine, per second", "ratio", "from round to round"], rows);
}
