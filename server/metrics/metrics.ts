import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { queuedPasswordHashes } from "#domain/accounts/sign-in/password-hashes.server.ts";
import { newestBackupAt } from "#domain/backups/backups.server.ts";
import { countByState } from "#domain/mail/outbox/outbox-admin.server.ts";
import type { Site } from "#domain/site.ts";
import { waitingPictures } from "#platform/files/images.ts";
import { programVersion } from "#platform/program.ts";

export type Metrics = {
  /** Called when a response begins. `route` is a pattern, never a path. */
  answered(answer: { method: string; route: string; status: number; seconds: number }): void;
  /** Prometheus text format. */
  text(): Promise<string>;
  contentType: string;
  close(): void;
};

const durations = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const lookEveryMs = 20;
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Metrics of this process (docs/operations.md). Values that need a query are read at each scrape. @param sockets - number of open WebSockets */
export function openMetrics(site: Site, sockets: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: "inkstead_http_request_duration_seconds",
    help: "Time until an answer begins, by route and class of its status.",
    labelNames: ["method", "route", "status"],
    buckets: durations,
    registers,
  });
  const read = gauges(registers);
  const delay = monitorEventLoopDelay({ resolution: lookEveryMs });
  delay.enable();
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - lookEveryMs / 1000);
  read("event_loop_lag_seconds", "Event loop lag since the last scrape.", "quantile", () => {
    const lags = { "0.5": late(delay.percentile(50)), "0.99": late(delay.percentile(99)), "1": late(delay.max) };
    delay.reset();
    return lags;
  });
  aboutProcess(read);
  aboutSite(site, read);
  read("sockets", "Open WebSockets.", undefined, sockets);
  const total = totals(registers);
  total("page_cache_requests_total", "Visitors’ pages from the cache (hit) and rendered (miss).", "result", () => site.memory.pageCache);
  total("database_writes_total", "Transactions and single statements that were saved.", undefined, () => site.databaseLoad.writes);
  const waited = () => site.databaseLoad.waitedMs / 1000;
  total("database_wait_seconds_total", "Time that writers, or requests for a connection, have waited.", undefined, waited);
  return {
    answered: ({ method, route, status, seconds }) =>
      requests.observe({ method: methods.has(method) ? method : "other", route, status: `${Math.floor(status / 100)}xx` }, seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    close: () => void delay.disable(),
  };
}

type Readings = ReturnType<typeof gauges>;
type Values = number | undefined | Record<string, number>;

/** Gauges read at each scrape: a number, or numbers by label. A failing one is left out. */
function gauges(registers: Registry[]) {
  return (name: string, help: string, label: string | undefined, values: () => Values | Promise<Values>) =>
    new Gauge({
      name: `inkstead_${name}`,
      help,
      labelNames: label ? [label] : [],
      registers,
      async collect() {
        this.reset();
        const found = await Promise.resolve(values()).catch(() => undefined);
        if (typeof found === "number") this.set(found);
        else for (const [value, number] of Object.entries(found ?? {})) this.set({ [label ?? ""]: value }, number);
        if (found === undefined && !label) this.remove();
      },
    });
}

/** Counters that are kept elsewhere. */
function totals(registers: Registry[]) {
  return (name: string, help: string, label: string | undefined, values: () => number | Record<string, number>) =>
    new Counter({
      name: `inkstead_${name}`,
      help,
      labelNames: label ? [label] : [],
      registers,
      collect() {
        this.reset();
        const found = values();
        if (typeof found === "number") this.inc(found);
        else for (const [value, number] of Object.entries(found)) this.inc({ [label ?? ""]: value }, number);
      },
    });
}

function aboutProcess(read: Readings): void {
  read("info", "The version that runs.", "version", () => ({ [programVersion]: 1 }));
  read("process_memory_bytes", "Memory of the process.", "kind", () => {
    const { rss, heapUsed, external } = process.memoryUsage();
    return { resident: rss, heap: heapUsed, external };
  });
  read("process_uptime_seconds", "Time since the process started.", undefined, () => process.uptime());
  read("process_cpu_seconds", "Processor time of the process since it started.", undefined, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

function aboutSite(site: Site, read: Readings): void {
  const { memory, databaseLoad, renderer, now } = site;
  read("queue_waiting", "Jobs that wait for their turn.", "queue", () => ({
    lists: memory.lists.waiting,
      passwords: queuedPasswordHashes(),
      pictures: waitingPictures(),
    texts: renderer.waiting(),
  }));
  read("cache_bytes", "Memory of each cache, in bytes.", "kind", () => ({
    pages: memory.pages.bytes,
    unchanged: memory.unchanged.bytes,
    sharedPages: memory.sharedPages.bytes,
    messages: memory.cachedMessages.bytes,
  }));
  read("database_waiting", "Writers (SQLite) or requests for a connection (PostgreSQL) that wait.", undefined, () => databaseLoad.waiting);
  read("outbox_emails", "Emails by state.", "state", () => countByState(site));
  const backupAge = async (options?: { onlySent: boolean }) => {
    const madeAt = await newestBackupAt(site, options);
    return madeAt === undefined ? undefined : (now() - madeAt) / 1000;
  };
  read("backup_age_seconds", "Age of the newest restore-tested backup.", undefined, () => backupAge());
  read("offsite_backup_age_seconds", "Age of the newest backup that was sent off-site.", undefined, () => backupAge({ onlySent: true }));
}
