import "#platform/private-files.ts";
import { createServer } from "node:http";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import type { ServerBuild } from "react-router";
import { registerBackups } from "#domain/backups/backups.server.ts";
import { stopRuns } from "#domain/backups/runs.server.ts";
import { ConfigError, readConfig } from "#platform/config.ts";
import { acquireExclusiveLock } from "#platform/database/sqlite/exclusive-lock.ts";
import { checkFiles } from "#platform/files/open.ts";
import { createLog } from "#platform/log.ts";
import { programFolder } from "#platform/program.ts";
import { createErrorRecorder } from "#server/jobs/error-recorder.ts";
import { startJobs } from "#server/jobs/jobs.ts";
import { startSweep } from "#server/jobs/sweep.ts";
import { proxyMatcher } from "#server/limits/client-ip.ts";
import { createMetrics } from "#server/metrics/metrics.ts";
import { listenForMetrics, wantsMetrics } from "#server/metrics/serve-metrics.ts";
import { drainOnSignal } from "./drain.ts";
import { limitConnections } from "./limits/connections.ts";
import { dropSlowReaders } from "./limits/slow-readers.ts";
import { SocketCounter } from "./limits/sockets.ts";
import { watchEventLoop } from "./limits/watchdog.ts";
import { listen, serverOptions } from "./listen.ts";
import { openLive } from "./live/live.ts";
import { closeSite, openSite } from "./site.ts";
import { openSockets } from "./sockets.ts";
import { printStartMessage } from "./start-message.ts";
import { openRealtime } from "./v1/realtime/realtime.ts";
import { openRoutes } from "./web.ts";

const dev = process.argv.includes("--dev");

try {
  const config = readConfig(process.env);
  // Imported only where backups are sent off-site.
  if (config.offsite) (await import("#platform/copy/encryption.ts")).checkRecipients(config.offsite.recipients);
  if (config.databaseUrl === undefined) acquireExclusiveLock(config.dataDir, config.siteUrl);
  const errorRecorder = createErrorRecorder();
  const site = await openSite(
    config,
    createLog(config.logLevel, errorRecorder.add),
    dev ? {} : { renderingScript: pathToFileURL(join(programFolder, "build", "site", "worker.js")) },
  );
  await checkFiles(site.files, site.log);
  void registerBackups(site).catch((err) => site.log.warn({ err }, "the backup folder can't be listed"));
  const stopJobs = [await startSweep(site), startJobs(site)];

  const server = createServer(serverOptions);
  const vite = dev ? await (await import("./development.ts")).startVite(server) : undefined;
  const build = async () =>
    (vite
      ? await vite.ssrLoadModule("virtual:react-router/server-build")
      : await import("virtual:react-router/server-build")) as ServerBuild;
  const { proxies, api, requestLimitFactor: limitFactor } = config;
  dropSlowReaders(server);
  limitConnections(server, { isProxy: proxyMatcher(proxies), factor: limitFactor });
  const watchdog = watchEventLoop({ lagLimit: config.loopLagLimit, log: site.log });
  const { isOverloaded } = watchdog;
  const counter = new SocketCounter({}, limitFactor);
  const metrics = wantsMetrics(config) ? createMetrics(site, () => counter.open) : undefined;
  const { web, sendCached, patternOf, countUpgrade } = openRoutes({
    ...{ site, build, dev, proxies, api, cachePages: !dev, limitFactor, isOverloaded },
    ...{ metrics, metricsToken: config.metrics.token },
  });
  const stopErrorRecorder = errorRecorder.start(site, patternOf);
  const route = getRequestListener(web.fetch);
  server.on("request", (request, response) => {
    if (vite) vite.middlewares(request, response, () => void route(request, response));
    else if (!sendCached(request, response)) void route(request, response);
  });

  const sockets = openSockets(site, { proxies, counter, countUpgrade, endpoints: [openLive(site), openRealtime(site, api)] });
  server.on("upgrade", (request, socket, head) => {
    if (vite && request.headers["sec-websocket-protocol"]?.startsWith("vite-")) return;
    sockets.upgrade(request, socket, head);
  });

  let endMetrics = () => {};
  drainOnSignal(server, {
    log: site.log,
    closeSockets: () => sockets.close(),
    async close() {
      for (const stop of stopJobs) stop();
      stopRuns(site);
      watchdog.close();
      endMetrics();
      metrics?.close();
      await vite?.close();
      await stopErrorRecorder();
      await closeSite(site);
    },
  });
  const { host, port } = config.metrics;
  // First: once the site's port is open, a failing start would cut connections.
  if (metrics && port !== undefined) endMetrics = await listenForMetrics(metrics, { host, port });
  await listen(server, config);
  await printStartMessage(site, server);
  // Now rather than at exit, in case the process is killed. Without NODE_COMPILE_CACHE it does nothing.
  flushCompileCache();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(`Inkstead can't start: ${error.message}`);
  process.exit(1);
}
