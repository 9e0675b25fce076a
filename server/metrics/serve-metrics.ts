import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { Hono } from "hono";
import type { Config } from "#platform/config.ts";
import { listen } from "#server/listen.ts";
import type { Metrics } from "./metrics.ts";

const path = "/metrics";

/** Serves the metrics on the site's own port, with a token. */
export function metricsRoutes(metrics: Metrics, token: string): Hono {
  const routes = new Hono();
  routes.get(path, async (c) => {
    const given = /^Bearer (.+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
    if (!timingSafeEqual(hashToken(given), hashToken(token))) return c.text("Unauthorized", 401, { "www-authenticate": "Bearer" });
    return c.body(await metrics.text(), 200, { "content-type": metrics.contentType, "cache-control": "no-store" });
  });
  return routes;
}

function hashToken(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Serves the metrics on a separate port, which only the collector should reach. @returns a function that closes it. */
export async function listenForMetrics(metrics: Metrics, { host, port }: { host: string; port: number }): Promise<() => void> {
  const server = createServer(async ({ method, url }: IncomingMessage, response) => {
    if (method !== "GET" || url?.split("?")[0] !== path) return void response.writeHead(404).end();
    try {
      const text = await metrics.text();
      response.writeHead(200, { "content-type": metrics.contentType }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  await listen(server, { host, port }, "METRICS_");
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

export function wantsMetrics({ metrics: { port, token } }: Pick<Config, "metrics">): boolean {
  return port !== undefined || token !== undefined;
}
