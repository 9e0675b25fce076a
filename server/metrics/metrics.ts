import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { queuedPasswordHashes } from "#domain/accounts/sign-in/password-hashes.server.ts";
import { newestBackupAt } from "#domain/backups/runs.server.ts";
import { countByState } from "#domain/mail/outbox/outbox-admin.server.ts";
import type { Site } from "#domain/site.ts";
import { waitingPictures } from "#platform/files/images.ts";
import { programVersion } from "#platform/program.ts";

export type Metrics = {
  /** Called when a response begins. `route` is a pattern, never a path. */
  observe(response: { method: string; route: string; status: number; seconds: number }): void;
  /** Prometheus text format. */
  text(): Promise<string>;
  contentType: string;
  close(): void;
};

const durations = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const resolutionMs = 20;
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Metrics of this process (docs/operations.md). Values that need a query are read at each scrape. @param sockets - number of open WebSockets */
export function createMetrics(site: Site, sockets: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: "inkstead_http_request_duration_seconds",
    help: "Time until a response begins, by route and status class.",
    labelNames: ["method", "route", "status"],
    buckets: durations,
    registers,
  });
  const gauge = reader(Gauge, registers);
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const lagSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
  gauge("event_loop_lag_seconds", "Event loop lag since the last scrape.", "quantile", () => {
    const lags = { "0.5": lagSeconds(delay.percentile(50)), "0.99": lagSeconds(delay.percentile(99)), "1": lagSeconds(delay.max) };
    delay.reset();
    return lags;
  });
  addProcessMetrics(gauge);
  addSiteMetrics(site, gauge);
  gauge("sockets", "Open WebSockets.", undefined, sockets);
  const total = reader(Counter, registers);
  total(
    "page_cache_requests_total",
    "Visitors’ pages from the cache (hit) and rendered (miss).",
    "result",
    () => site.memory.pageCacheHits,
  );
  total("database_writes_total", "Transactions and single statements saved.", undefined, () => site.databaseLoad.writes);
  const waited = () => site.databaseLoad.waitedMs / 1000;
  total("database_wait_seconds_total", "Time that writers, or requests for a connection, have spent waiting.", undefined, waited);
  return {
    observe: ({ method, route, status, seconds }) =>
      requests.observe({ method: methods.has(method) ? method : "other", route, status: `${Math.floor(status / 100)}xx` }, seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    close: () => void delay.disable(),
  };
}

type Read = ReturnType<typeof reader>;
type Values = number | undefined | Record<string, number>;
type Metric = Pick<Gauge, "reset" | "inc" | "remove">;
type MetricOptions = { name: string; help: string; labelNames: string[]; registers: Registry[]; collect(this: Metric): Promise<void> };

/** Metrics read at each scrape: a number, or numbers by label. A failing one is left out. */
function reader(Kind: new (options: MetricOptions) => Metric, registers: Registry[]) {
  return (name: string, help: string, label: string | undefined, values: () => Values | Promise<Values>) =>
    new Kind({
      name: `inkstead_${name}`,
      help,
      labelNames: label ? [label] : [],
      registers,
      async collect() {
        this.reset();
        const value = await readOrSkip(values);
        if (typeof value === "number") this.inc(value);
        else for (const [labelValue, number] of Object.entries(value ?? {})) this.inc({ [label ?? ""]: labelValue }, number);
        if (value === undefined && !label) this.remove();
      },
    });
}

async function readOrSkip(values: () => Values | Promise<Values>): Promise<Values> {
  try {
    return await values();
  } catch {
    return undefined;
  }
}

function addProcessMetrics(gauge: Read): void {
  gauge("info", "The running version.", "version", () => ({ [programVersion]: 1 }));
  gauge("process_memory_bytes", "Memory of the process.", "kind", () => {
    const { rss, heapUsed, external } = process.memoryUsage();
    return { resident: rss, heap: heapUsed, external };
  });
  gauge("process_uptime_seconds", "Time since the process started.", undefined, () => process.uptime());
  gauge("process_cpu_seconds", "Processor time of the process since it started.", undefined, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

function addSiteMetrics(site: Site, gauge: Read): void {
  const { memory, databaseLoad, renderer, now } = site;
  gauge("queue_waiting", "Waiting jobs.", "queue", () => ({
    lists: memory.listQueue.waiting,
    passwords: queuedPasswordHashes(),
    pictures: waitingPictures(),
    texts: renderer.waiting(),
  }));
  gauge("cache_bytes", "Memory of each cache, in bytes.", "kind", () => ({
    pages: memory.pageCache.bytes,
    unchanged: memory.versionedCache.bytes,
    sharedPages: memory.sharedPages.bytes,
    messages: memory.cachedMessages.bytes,
  }));
  gauge(
    "database_waiting",
    "Writers (SQLite) or requests for a connection (PostgreSQL) that are waiting.",
    undefined,
    () => databaseLoad.waiting,
  );
  gauge("outbox_emails", "Emails by state.", "state", () => countByState(site));
  const backupAge = async (options?: { onlySent: boolean }) => {
    const madeAt = await newestBackupAt(site, options);
    return madeAt === undefined ? undefined : (now() - madeAt) / 1000;
  };
  gauge("backup_age_seconds", "Age of the newest restore-tested backup.", undefined, () => backupAge());
  gauge("offsite_backup_age_seconds", "Age of the newest backup that was sent off-site.", undefined, () => backupAge({ onlySent: true }));
}
