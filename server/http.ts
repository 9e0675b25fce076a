import type { HttpBindings } from "@hono/node-server";
import type { ErrorHandler } from "hono";
import type { ServerBuild } from "react-router";
import { isRefusal, statusOf } from "#domain/refusals.ts";
import type { Site } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";
import type { Metrics } from "./metrics/metrics.ts";

export type Web = {
  Bindings: HttpBindings;
  Variables: {
    points?: number;
    requestId: string;
  };
};

export type WebConfig = {
  site: Site;
  build: () => Promise<ServerBuild>;
  dev: boolean;
  proxies?: string[];
  api?: ApiConfig;
  /** Multiplies the limits of server/limits/table.ts. */
  limitFactor?: number | undefined;
  /** Whether expensive requests are refused, because the event loop lags. */
  isOverloaded?: (() => boolean) | undefined;
  cachePages?: boolean;
  /** Absent unless configured. With a token they are also at `/metrics`. */
  metrics?: Metrics | undefined;
  metricsToken?: string | undefined;
};

/** Refusals as plain text; other errors are logged as `failure` and answered with 503. */
export function plainTextErrors(site: Site, failure: string, text = "This isn’t available right now"): ErrorHandler<Web> {
  return (error, c) => {
    c.header("cache-control", "no-store");
    if (isRefusal(error)) {
      if (statusOf(error) === 503) c.header("retry-after", String(error.retryAfterSeconds ?? 300));
      return c.text(error.message, statusOf(error) as 404);
    }
    site.log.error({ err: error, path: c.req.path }, failure);
    return c.text(text, 503, { "retry-after": "10" });
  };
}
