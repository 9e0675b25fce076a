import type { HttpBindings } from "@hono/node-server";
import type { ServerBuild } from "react-router";
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

export type WebParts = {
  site: Site;
  build: () => Promise<ServerBuild>;
  dev: boolean;
  proxies?: string[];
  api?: ApiConfig;
  /** Multiplies what networks and accounts may ask for at once and per second: server/limits/table.ts. */
  limitFactor?: number | undefined;
  /** Whether costly requests are refused, because the event loop lags. */
  isOverloaded?: (() => boolean) | undefined;
  keepPages?: boolean;
  /** Is told of every answer; absent where nobody collects figures. With a token they are at `/metrics`. */
  metrics?: Metrics | undefined;
  metricsToken?: string | undefined;
};
