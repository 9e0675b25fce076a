import type { HttpBindings } from "@hono/node-server";
import type { ServerBuild } from "react-router";
import type { Site } from "#domain/site.ts";
import type { ApiConfig } from "#platform/config.ts";

/** What requests carry through the server. */
export type Web = {
  Bindings: HttpBindings;
  Variables: {
    /** What the request has cost its network. */
    points?: number;
  };
};

/** What the server is made of. */
export type WebParts = {
  site: Site;
  build: () => Promise<ServerBuild>;
  dev: boolean;
  /** Proxies on other machines, whose word on who asks is believed. */
  proxies?: string[];
  /** By which ids clients of the public API know the site. */
  api?: ApiConfig;
  /** Multiplies what networks and accounts may ask for at once and per second: server/limits/table.ts. */
  limitFactor?: number | undefined;
  /** Whether costly requests are refused, because the event loop lags. */
  isOverloaded?: (() => boolean) | undefined;
  /** Whole pages for visitors are kept as long as nothing changes. */
  keepPages?: boolean;
};
